// Figures of papers: what is in their cells, as text and as JSON.
#include "papers/figure.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "papers/paper.hpp"

namespace banyan::tests {
namespace {

Figure small(Figure::Kind kind) {
  Figure out{.kind = kind, .title = "T", .down = "hosts", .across = "routing", .value = "time", .unit = "s"};
  out.panels = {make_panel("p", {"7", "14"}, {"a", "b"})};
  out.panels[0].at(0, 0) = {3};
  out.panels[0].at(1, 1) = {-0.5};
  return out;
}

TEST(Figures, QuartilesAreInterpolatedBetweenValues) {
  const std::vector<double> ten = {10, 1, 9, 2, 8, 3, 7, 4, 6, 5};
  EXPECT_EQ(five_numbers(ten), (std::array<double, 5>{1, 3.25, 5.5, 7.75, 10}));
  EXPECT_EQ(five_numbers(std::vector<double>{4}), (std::array<double, 5>{4, 4, 4, 4, 4}));
  EXPECT_EQ(five_numbers(std::vector<double>{1, 3}), (std::array<double, 5>{1, 1.5, 2, 2.5, 3}));
  EXPECT_EQ(mean(ten), 5.5);
}

TEST(Figures, AsText) {
  const ShownTable gains = as_table(small(Figure::Kind::gains));
  EXPECT_EQ(gains.columns, (std::vector<std::string>{"hosts", "a", "b"}));
  EXPECT_EQ(gains.rows, (std::vector<std::vector<std::string>>{{"7", "+3.00", "-"}, {"14", "-", "-0.50"}}));
  Figure two = small(Figure::Kind::gains);
  two.panels.push_back(make_panel("q", {"4"}, {"c", "d", "e"}));
  EXPECT_EQ(as_table(two).columns, (std::vector<std::string>{"panel", "hosts", "a", "b", ""}));
  EXPECT_EQ(as_table(two).rows[2], (std::vector<std::string>{"panel", "hosts", "c", "d", "e"}));
  Figure spread = small(Figure::Kind::whiskers);
  spread.panels[0].at(0, 0) = {1, 2, 4};
  EXPECT_EQ(as_table(spread).rows[0][1], "1 / 2 / 4");
  EXPECT_EQ(as_table(small(Figure::Kind::heat)).rows,
            (std::vector<std::vector<std::string>>{{"p", "1.25", "-0.5", "3"}}));
}

TEST(Figures, AsJson) {
  Figure figure = small(Figure::Kind::bars);
  figure.panels[0].at(0, 0) = {1, 2, 6};
  std::ostringstream out;
  JsonWriter json(out, JsonWriter::Form::one_line);
  write(json, figure);
  EXPECT_NE(out.str().find(R"("cells": [[[1,1.5,2,4,6,3],null],[null,[-0.5,-0.5,-0.5,-0.5,-0.5,-0.5]]])"),
            std::string::npos)
      << out.str();
}

TEST(Figures, WhatDoesNotFitIsRefused) {
  Reproduction paper(
      read_statements("id,kind,where,claim,value,unit,tolerance\na,prediction,b,c,1,,0\n", "x"));
  Figure figure = small(Figure::Kind::heat);
  figure.statements = {"a"};
  paper.draw(figure);
  EXPECT_EQ(paper.figures().size(), 1u);
  figure.statements = {"b"};
  EXPECT_THROW(paper.draw(figure), std::logic_error) << "no such statement";
  figure = small(Figure::Kind::heat);
  figure.panels[0].at(0, 0) = {1, 2};
  EXPECT_THROW(paper.draw(figure), std::logic_error) << "two values for one colour";
  figure = small(Figure::Kind::heat);
  figure.panels[0].cells.pop_back();
  EXPECT_THROW(paper.draw(figure), std::logic_error);
}

}  // namespace
}  // namespace banyan::tests
