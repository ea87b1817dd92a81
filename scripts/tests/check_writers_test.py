#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Planted writers of JSON and CSV of their own.
import unittest

from planted_tree import PlantedTree

JSON = "dump() throws at bytes that are not UTF-8: core::json_text"
PARSER = "each parser takes 1.5 s to compile: core::json_from"
GAMMA = "lgamma() writes a global variable, which threads share: core::log_gamma"
QUERY = "a query leaves cudaErrorNotReady for the next launch to find: cuda::is_finished"
CSV = "quotes of CSV by hand leave formulas in it: core::csv_cell"


class CheckWriters(PlantedTree):
    check = "check-writers"

    def test_the_functions_themselves_and_their_callers_pass(self):
        self.plant("harness/core/text/json_text.cpp", "return json.dump(indent, ' ', false, Json::error_handler_t::replace);\n")
        self.plant("harness/core/text/csv_text.cpp", 'quoted += byte == \'"\' ? "\\"\\"" : std::string(1, byte);\n')
        self.plant("model/a.cpp", "std::cout << core::json_text(json, 2);  // not json.dump(2)\nstd::string dump(const Json& json);\n")
        self.plant("model/tests/a_test.cpp", "EXPECT_EQ(json.dump(), text);\n")
        self.assertEqual(self.findings(), [])

    def test_another_writer_of_json_is_found_also_with_replacement(self):
        self.plant("model/a.cpp", "\nreturn json.dump(2);\n")
        self.plant("model/b.hpp", "return Json{{1, 2}}\n    .dump(-1, ' ', false, Json::error_handler_t::replace);\n")
        self.plant("model/c.cu", "return json->dump();\n")
        self.assertEqual(self.findings(), [f"model/a.cpp:2: {JSON}", f"model/b.hpp:2: {JSON}", f"model/c.cu:1: {JSON}"])

    def test_another_parser_of_json_is_found(self):
        self.plant("harness/core/text/json_from.cpp", "return Json::parse(text);\n")
        self.plant("model/a.cpp", "\nreturn nlohmann::ordered_json::parse(text);\nreturn json_parse(text);\n")
        self.plant("model/b.cpp", "const Json table = Json::parse(stream);\n")
        self.assertEqual(self.findings(), [f"model/a.cpp:2: {PARSER}", f"model/b.cpp:1: {PARSER}"])

    def test_lgamma_is_found(self):
        self.plant("harness/core/statistics/log_gamma.hpp", "return ::lgamma_r(x, &sign);\n")
        self.plant("model/a.cpp", "return core::log_gamma(x) - std::lgamma(y);\n")
        self.assertEqual(self.findings(), [f"model/a.cpp:1: {GAMMA}"])

    def test_a_query_of_a_stream_or_an_event_is_found(self):
        self.plant("harness/cuda/finished.cpp", "return is_success(cudaStreamQuery(stream), doing);\n")
        self.plant("memory/a.cpp", "while (cudaEventQuery(event) != cudaSuccess) {\n}\n")
        self.assertEqual(self.findings(), [f"memory/a.cpp:1: {QUERY}"])

    def test_another_writer_of_csv_is_found(self):
        self.plant("results/a.cpp", '\n\nreplaced(text, {{\'"\', "\\"\\""}});\n')
        self.assertEqual(self.findings(), [f"results/a.cpp:3: {CSV}"])


unittest.main()
