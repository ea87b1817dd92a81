// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts in a browser: filters and evidence do what they say, on screen and on paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/report/report.hpp"
#include "results/report/tests/browser_test.hpp"
#include "results/tests/fixed_verdicts.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

class VerdictsInBrowser : public test::BrowserTest {
 protected:
  /// Runs `script` in the page and gives the page; shown() counts the rows that are not filtered out.
  std::string after(const std::string& script) {
    Store store(folder_ / "store.db");
    store.add(test::sample_context());
    store.add(test::sample_point());
    keep(report_html(RunPoints(store), {.verdicts = test::fixed_verdicts()}),
         "const root = document.documentElement.dataset;"
         "const shown = () => [...document.querySelectorAll('.verdict-rows tbody tr')].filter((row) => "
         "row.checkVisibility()).length;"
         "const press = (name) => document.querySelector(`[data-filter='${name}']`).click();"
         "const type = (name, text) => { const field = document.querySelector(`[data-filter='${name}']`); "
         "field.value = text; field.dispatchEvent(new Event('input')); };" +
             script);
    const std::string page = open(1200);
    EXPECT_EQ(complaints_, "");
    return page;
  }
};

TEST_F(VerdictsInBrowser, AreFilteredByVerdict) {
  const std::string page = after(
      "root.all = shown(); press('FAIL'); root.failed = shown(); press('NOT_RUN'); root.both = shown(); "
      "press('FAIL'); press('NOT_RUN'); root.again = shown(); press('PASS'); "
      "root.pressed = document.querySelectorAll('[aria-pressed=true]').length;");
  EXPECT_EQ(attribute(page, "data-all"), "8");
  EXPECT_EQ(attribute(page, "data-failed"), "3");
  EXPECT_EQ(attribute(page, "data-both"), "4");
  EXPECT_EQ(attribute(page, "data-again"), "8");
  EXPECT_THAT(page, HasSubstr("2 of 8 rows on this page: the others are filtered out"));
  EXPECT_EQ(attribute(page, "data-pressed"), "1");
}

TEST_F(VerdictsInBrowser, AreFilteredByUnitAndByWhatWasLookedAt) {
  const std::string page = after(
      "type('unit', 'NODE-B'); root.unit = shown(); type('what', 'memory'); root.both = shown(); "
      "type('unit', ''); root.what = shown(); type('what', 'nothing of the kind'); root.none = shown();");
  EXPECT_EQ(attribute(page, "data-unit"), "2");
  EXPECT_EQ(attribute(page, "data-both"), "1");
  EXPECT_EQ(attribute(page, "data-what"), "2");
  EXPECT_EQ(attribute(page, "data-none"), "0");
}

TEST_F(VerdictsInBrowser, AClickOnARowShowsItsEvidenceAndAnotherHidesIt) {
  const std::string page = after(
      "const row = document.querySelector('.verdict-rows tbody tr'); "
      "const evidence = row.querySelector('.evidence'); const visible = () => evidence.checkVisibility() && "
      "evidence.getBoundingClientRect().height > 20; root.before = visible(); row.cells[1].click(); "
      "root.opened = visible(); row.cells[1].click(); root.shut = visible(); "
      "row.querySelector('summary').click(); root.summary = visible();");
  EXPECT_EQ(attribute(page, "data-before"), "false");
  EXPECT_EQ(attribute(page, "data-opened"), "true");
  EXPECT_EQ(attribute(page, "data-shut"), "false");
  EXPECT_EQ(attribute(page, "data-summary"), "true");
}

TEST_F(VerdictsInBrowser, ALinkToAVerdictOpensItThoughAFilterHidesIt) {
  const std::string page = after(
      "press('PASS'); const row = document.getElementById('verdict-accept:-node-b-gpu3-memory.cuda.read') ?? "
      "document.querySelector('[id$=\"node-b-gpu3-memory.cuda.read\"]'); root.hidden1 = row.hidden; "
      "root.link = row.querySelector('a').getAttribute('href') === '#' + row.id; "
      "location.hash = row.id; window.dispatchEvent(new Event('hashchange')); root.hidden2 = row.hidden; "
      "root.open = row.querySelector('details').open; "
      "root.ids = new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size === "
      "document.querySelectorAll('[id]').length;");
  EXPECT_EQ(attribute(page, "data-hidden1"), "true");
  EXPECT_EQ(attribute(page, "data-link"), "true");
  EXPECT_EQ(attribute(page, "data-hidden2"), "false");
  EXPECT_EQ(attribute(page, "data-open"), "true");
  EXPECT_EQ(attribute(page, "data-ids"), "true") << "no anchor stands twice";
}

TEST_F(VerdictsInBrowser, AButtonDownloadsWhatTheTableShowsAsCsv) {
  const std::string page = after(
      "let blob; URL.createObjectURL = (made) => { blob = made; return 'blob:kept'; }; "
      "HTMLAnchorElement.prototype.click = function () { root.name = this.download; }; press('FAIL'); "
      "document.querySelector('#verdicts .csv').click(); blob.text().then((text) => { "
      "root.lines = text.trim().split('\\r\\n').length; root.first = text.split('\\r\\n')[0]; "
      "root.last = text.split('\\r\\n')[1].endsWith(',imported'); "
      "root.quoted = text.includes('& \"\"since\"\" the last check\"'); });");
  EXPECT_EQ(attribute(page, "data-name"), "verdicts.csv");
  EXPECT_EQ(attribute(page, "data-lines"), "4") << "a head and the three rows that fail";
  EXPECT_EQ(attribute(page, "data-first"),
            "verdict,unit,what,value,limit,because (opens: evidence),action,origin");
  EXPECT_EQ(attribute(page, "data-last"), "true");
  EXPECT_EQ(attribute(page, "data-quoted"), "true");
  EXPECT_EQ(count(page, "class=\"csv\""), count(page, "<table")) << "every table has a button";
}

TEST_F(VerdictsInBrowser, TheCsvGivesASpreadsheetNoFormulaAndKeepsNumbers) {
  const std::string page = after(
      "let blob; URL.createObjectURL = (made) => { blob = made; return 'blob:kept'; }; "
      "HTMLAnchorElement.prototype.click = function () {}; "
      "const cells = document.querySelector('#verdicts tbody tr').cells; "
      "['=1+1', '+cmd|x', '@sum', '-2+cmd', '-12.5 ± 0.4', '+5.0 %', '-'].forEach((text, i) => { "
      "cells[i].textContent = text; }); "
      "document.querySelector('#verdicts .csv').click(); blob.text().then((text) => { "
      "root.line = text.split('\\r\\n')[1]; });");
  EXPECT_EQ(attribute(page, "data-line"), "'=1+1,'+cmd|x,'@sum,'-2+cmd,-12.5 ± 0.4,+5.0 %,-,imported");
}

TEST_F(VerdictsInBrowser, PaperHasTheEvidenceOpenAndTheScreenAfterwardsDoesNot) {
  const std::string page = after(
      "const open = () => document.querySelectorAll('.verdict-rows details[open]').length; root.before = "
      "open(); window.dispatchEvent(new Event('beforeprint')); root.paper = open(); "
      "window.dispatchEvent(new Event('afterprint')); root.screen = open();");
  EXPECT_EQ(attribute(page, "data-before"), "0");
  EXPECT_EQ(attribute(page, "data-paper"), "8");
  EXPECT_EQ(attribute(page, "data-screen"), "0");
}

}  // namespace
}  // namespace assay::results
