#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/kubernetes/health: its manifests against the types of Kubernetes' API, node-problem-detector's configuration against
# the keys that it reads, and the scripts on a node that was made up. No Kubernetes here.
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
HEALTH = SOURCE / "scripts" / "kubernetes" / "health"
NODE = SOURCE / "model" / "examples" / "node"
ASSAY = pathlib.Path(os.environ.get("ASSAY_BIN_DIR", SOURCE / "build" / "bin")) / "assay"
TYPES = json.loads((SOURCE / "scripts" / "tests" / "kubernetes_types.json").read_text())["types"]
PLAIN = {"string": (str,), "Quantity": (str, int), "boolean": (bool,), "number": (int, float), "number | string": (int, str)}
# Keys of pkg/custompluginmonitor/types of node-problem-detector (01a6793b, 146a394f); types.Condition has three that count.
GLOBAL_KEYS = {"invoke_interval", "timeout", "max_output_length", "concurrency", "enable_message_change_based_condition_update",
               "skip_initial_status"}
CONFIG_KEYS = {"plugin", "pluginConfig", "source", "conditions", "rules", "metricsReporting"}
RULE_KEYS = {"type", "condition", "reason", "path", "args", "timeout", "invoke_interval"}


def faults_of(value, kind, where):
    """What of it the type does not allow, a line each."""
    if isinstance(kind, dict) and "array" in kind:
        if not isinstance(value, list):
            return [f"{where}: expected a list"]
        return [fault for place, one in enumerate(value) for fault in faults_of(one, kind["array"], f"{where}[{place}]")]
    if isinstance(kind, dict) and "map" in kind:
        return [fault for name, one in value.items() for fault in faults_of(one, kind["map"], f"{where}.{name}")]
    if isinstance(kind, dict):
        return [] if value in kind["one_of"] else [f"{where}: expected one of {kind['one_of']}"]
    if kind in PLAIN:
        is_plain = isinstance(value, PLAIN[kind]) and (bool in PLAIN[kind] or not isinstance(value, bool))
        return [] if is_plain else [f"{where}: expected a {kind}, got {value!r}"]
    if kind not in TYPES:
        return [f"{where}: no type {kind} in kubernetes_types.json"]
    lacking = [f"{where}: {name} is required" for name in TYPES[kind]["required"] if name not in value]
    unknown = [f"{where}: {kind} has no {name}" for name in value if name not in TYPES[kind]["properties"]]
    known = ((name, one) for name, one in value.items() if name in TYPES[kind]["properties"])
    return lacking + unknown + [fault for name, one in known
                                for fault in faults_of(one, TYPES[kind]["properties"][name], f"{where}.{name}")]


def documents():
    files = [file for file in sorted(HEALTH.glob("*.yaml")) if file.name != "kustomization.yaml"]
    return [one for file in files for one in yaml.safe_load_all(file.read_text())]


class Manifests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.set = next(one for one in documents() if one["kind"] == "DaemonSet")
        cls.pod = cls.set["spec"]["template"]["spec"]
        cls.containers = {one["name"]: one for one in cls.pod["containers"]}

    def test_are_of_the_types_of_the_interface(self):
        for one in documents():
            self.assertEqual(faults_of(one, one["kind"], one["kind"]), [])

    def test_the_test_finds_faults(self):
        wrong = {"apiVersion": "apps/v1", "kind": "DaemonSet", "spec": {"template": {"spec": {"containers": [{"image": 3, "imag": ""}]}}}}
        self.assertEqual(faults_of(wrong, "DaemonSet", "D"), [
            "D.spec: selector is required", "D.spec.template.spec.containers[0]: name is required",
            "D.spec.template.spec.containers[0]: Container has no imag",
            "D.spec.template.spec.containers[0].image: expected a string, got 3"])

    def test_the_selector_is_of_the_pods(self):
        labels = self.set["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(self.set["spec"]["selector"]["matchLabels"], labels)

    def test_mounts_are_volumes_and_scripts_are_files_of_the_config_map(self):
        volumes = {one["name"]: one for one in self.pod["volumes"]}
        custom = yaml.safe_load((HEALTH / "kustomization.yaml").read_text())
        (made,) = custom["configMapGenerator"]
        self.assertEqual(volumes["scripts"]["configMap"]["name"], made["name"])
        for one in self.containers.values():
            self.assertLessEqual({mount["name"] for mount in one["volumeMounts"]}, set(volumes))
            commands = [one["command"]] + ([one["readinessProbe"]["exec"]["command"]] if "readinessProbe" in one else [])
            for command in commands:
                self.assertIn(command[1].removeprefix("/scripts/"), made["files"])
        for name in made["files"] + custom["resources"]:
            self.assertTrue((HEALTH / name).exists(), name)

    def test_the_account_is_the_one_that_may_change_taints(self):
        by_kind = {one["kind"]: one for one in documents()}
        account = by_kind["ServiceAccount"]["metadata"]["name"]
        self.assertEqual(self.pod["serviceAccountName"], account)
        self.assertEqual([one["name"] for one in by_kind["ClusterRoleBinding"]["subjects"]], [account])
        self.assertEqual(by_kind["ClusterRoleBinding"]["roleRef"]["name"], by_kind["ClusterRole"]["metadata"]["name"])
        self.assertEqual(by_kind["ClusterRole"]["rules"], [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "patch"]}])


    def test_the_token_is_mounted_only_where_a_taint_is_set(self):
        self.assertIs(self.pod["automountServiceAccountToken"], False)
        tokens = {one["name"] for one in self.pod["volumes"]
                  if any("serviceAccountToken" in source for source in one.get("projected", {}).get("sources", []))}
        self.assertEqual(len(tokens), 1)
        holders = [name for name, one in self.containers.items() if tokens & {mount["name"] for mount in one["volumeMounts"]}]
        self.assertEqual(holders, ["taint"])

    def test_no_container_is_privileged_and_the_check_has_two_capabilities(self):
        for name, one in self.containers.items():
            context = one["securityContext"]
            added = ["SYSLOG", "NET_ADMIN"] if name == "check" else None
            self.assertEqual((context["allowPrivilegeEscalation"], context["readOnlyRootFilesystem"], context["seccompProfile"]),
                             (False, True, {"type": "RuntimeDefault"}))
            self.assertEqual(context["capabilities"], {"drop": ["ALL"]} | ({"add": added} if added else {}))
            self.assertNotIn("privileged", context)
            self.assertEqual(context.get("runAsNonRoot"), None if name == "check" else True)

    def test_the_check_says_what_it_leaves_out_and_may_write_where_it_does(self):
        check = self.containers["check"]
        arguments = {one["name"]: one.get("value") for one in check["env"]}["ASSAY_CHECK_ARGS"].split()
        self.assertEqual(arguments, ["--without", "pcie.acs", "--without", "host.nvme"])
        self.assertEqual({mount["mountPath"] for mount in check["volumeMounts"] if not mount.get("readOnly")},
                         {"/var/lib/assay", "/tmp"})

    def test_the_account_changes_its_own_node_alone(self):
        by_kind = {one["kind"]: one for one in documents()}
        policy, binding = by_kind["ValidatingAdmissionPolicy"], by_kind["ValidatingAdmissionPolicyBinding"]
        account = by_kind["ServiceAccount"]["metadata"]
        self.assertEqual(binding["spec"], {"policyName": policy["metadata"]["name"], "validationActions": ["Deny"]})
        (condition,) = policy["spec"]["matchConditions"]
        self.assertIn(f"'system:serviceaccount:{account['namespace']}:{account['name']}'", condition["expression"])
        (rule,) = policy["spec"]["validations"]
        self.assertIn("authentication.kubernetes.io/node-name", rule["expression"])
        self.assertEqual(policy["spec"]["failurePolicy"], "Fail")


class NodeProblemDetector(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.config = json.loads((HEALTH / "node-problem-detector.json").read_text())

    def test_has_the_keys_that_are_read(self):
        self.assertEqual((set(self.config) - CONFIG_KEYS, self.config["plugin"]), (set(), "custom"))
        self.assertEqual(set(self.config["pluginConfig"]) - GLOBAL_KEYS, set())
        for rule in self.config["rules"]:
            self.assertEqual(set(rule) - RULE_KEYS, set())
        for condition in self.config["conditions"]:
            self.assertEqual(set(condition), {"type", "reason", "message"})

    def test_each_rule_sets_a_condition_within_the_common_limit(self):
        self.assertEqual({rule["condition"] for rule in self.config["rules"]}, {one["type"] for one in self.config["conditions"]})
        for rule in self.config["rules"]:
            self.assertEqual(rule["type"], "permanent")
            self.assertLessEqual(int(rule["timeout"][:-1]), int(self.config["pluginConfig"]["timeout"][:-1]))
            self.assertTrue((HEALTH / pathlib.PurePath(rule["path"]).name).exists())

    def test_each_check_belongs_to_one_condition(self):
        if not ASSAY.exists():
            self.skipTest(f"{ASSAY} is not built")
        listed = subprocess.run([ASSAY, "check", "--list", "--format", "csv"], capture_output=True, text=True, check=True).stdout
        groups = {line.split(".")[0] for line in listed.splitlines() if re.match(r"[a-z]+\.", line)}
        self.assertGreater(len(groups), 4)
        self.assertEqual(sorted(group for rule in self.config["rules"] for group in rule["args"]), sorted(groups))


class Scripts(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.state = pathlib.Path(made.name)

    def script(self, name, *words, **variables):
        done = subprocess.run([HEALTH / name, *words], capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, "ASSAY_STATE": str(self.state), "ASSAY_ONCE": "1", **variables})
        return done.returncode, done.stdout

    def write_metrics(self, *series, age_s=0):
        lines = [f'assay_check_timestamp_seconds{{node="n"}} {time.time() - age_s:.3f}']
        lines += [f'assay_check_status{{node="n",check="{check}",unit="{unit}",gpu="",serial=""}} {code}' for check, unit, code in series]
        (self.state / "assay.prom").write_text("\n".join(lines) + "\n")

    def test_a_condition_is_that_of_its_groups(self):
        self.write_metrics(("gpu.sram", "GPU 3", 3), ("gpu.ecc_mode", "GPU 4", 3), ("pcie.width", "GPU 3", 0), ("rdma.mtu", "mlx5_0/1", 2),
                           ("host.clock", "host", 1))
        self.assertEqual(self.script("assay-condition", "gpu", "pcie"), (1, "failed: gpu.sram on GPU 3 and 1 more\n"))
        self.assertEqual(self.script("assay-condition", "pcie"), (0, "no failure\n"))
        self.assertEqual(self.script("assay-condition", "rdma"), (2, "not judged: rdma.mtu on mlx5_0/1\n"))
        self.assertEqual(self.script("assay-condition", "host"), (0, "no failure, to be watched: host.clock on host\n"))
        self.assertEqual(self.script("assay-condition", "kernel"), (2, "no check of kernel was made\n"))

    def test_what_is_old_or_absent_is_unknown(self):
        self.assertEqual(self.script("assay-condition", "gpu")[0], 2)
        self.write_metrics(("gpu.sram", "GPU 3", 0), age_s=1000)
        status, said = self.script("assay-condition", "gpu")
        self.assertEqual((status, said[:17]), (2, "the last check is"))
        self.assertEqual(self.script("assay-condition", "gpu", ASSAY_STALE_S="2000")[0], 0)
        self.assertEqual(self.script("assay-condition")[0], 2)

    def test_a_check_of_a_node_with_faults_becomes_its_conditions(self):
        if not ASSAY.exists():
            self.skipTest(f"{ASSAY} is not built")
        status, said = self.script("check-loop", ASSAY=str(ASSAY), ASSAY_CHECK_ARGS=f"--root {NODE} --gpus {NODE}/gpus.json --window 0")
        self.assertEqual(status, 1, said)
        self.assertEqual((self.state / "verdict").read_text(), said)
        self.assertRegex(said, "^FAIL: .+\n$")
        self.assertEqual(self.script("assay-condition", "gpu", "pcie")[0], 1)
        self.assertEqual(json.loads((self.state / "check.json").read_text())["verdict"], "FAIL")

    def test_a_checker_that_hangs_or_is_not_there_is_inconclusive(self):
        hangs = self.state / "hangs"
        hangs.write_text("#!/bin/sh\nsleep 100\n")
        hangs.chmod(0o755)
        for program, status in ((hangs, 124), (self.state / "none", 127)):
            self.assertEqual(self.script("check-loop", ASSAY=str(program), ASSAY_DEADLINE_S="0.3")[0], status)
            self.assertTrue((self.state / "verdict").read_text().startswith("INCONCLUSIVE: the checker ended with exit status "))

    def write_verdict(self, verdict, age_s=0):
        (self.state / "verdict").write_text(f"{verdict}: of it\n")
        os.utime(self.state / "verdict", (time.time() - age_s,) * 2)

    def test_a_node_is_fit_while_a_pass_is_fresh(self):
        self.assertEqual(self.script("is-fit")[0], 1)
        for verdict, age_s, status in (("PASS", 0, 0), ("PASS", 1000, 1), ("FAIL", 0, 1), ("INCONCLUSIVE", 0, 1)):
            self.write_verdict(verdict, age_s)
            self.assertEqual(self.script("is-fit")[0], status, (verdict, age_s))

    def test_a_verdict_that_cannot_be_written_is_inconclusive(self):
        passes = self.state / "passes"
        passes.write_text("#!/bin/sh\necho 'PASS: all'\n")
        passes.chmod(0o755)
        self.assertEqual(self.script("check-loop", ASSAY=str(passes)), (0, "PASS: all\n"))
        self.assertEqual(self.script("check-loop", ASSAY=str(passes), ASSAY_STATE=str(self.state / "none")), (3, "PASS: all\n"))

    def test_a_taint_comes_with_a_failure_goes_with_a_pass_and_stays_between(self):
        kubectl = self.state / "kubectl"
        kubectl.write_text('#!/bin/sh\necho "$*" >>"$ASSAY_STATE/asked"\necho "other assay.dev/unfit"\n')
        kubectl.chmod(0o755)

        def asked(verdict, age_s=0):
            (self.state / "asked").write_text("")
            self.write_verdict(verdict, age_s)
            self.script("taint-loop", NODE_NAME="n1", PATH=f"{self.state}:{os.environ['PATH']}")
            return (self.state / "asked").read_text().splitlines()

        self.assertEqual(asked("FAIL"), ["taint node n1 assay.dev/unfit=FAIL:NoSchedule --overwrite"])
        self.assertEqual(asked("INCONCLUSIVE"), [])
        self.assertEqual(asked("FAIL", age_s=1000), [])
        self.assertEqual(asked("PASS", age_s=1000), [])
        self.assertEqual(asked("PASS"), ["get node n1 -o jsonpath={.spec.taints[*].key}", "taint node n1 assay.dev/unfit-"])


try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed (scripts/setup --for cluster)")
    sys.exit(77)
unittest.main()
