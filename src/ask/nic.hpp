// The benchmarks of QsNET with a model of its cards, on any fabric.
#pragma once
#include <string>
#include <vector>

#include "ask/answer_head.hpp"
#include "ask/situation.hpp"
#include "qsnet/bench.hpp"

namespace banyan::ask {

struct NicAnswer {
  struct Table : qsnet::BenchTable {
    static void fields(auto& self, auto&& f) {
      f("title", self.title, "", "what is measured");
      f("columns", self.columns, "", "names and units of the columns");
      f("rows", self.rows, "", "cells by row, as text");
    }
  };
  OptionValues<qsnet::Parameters> options{};
  std::vector<Table> tables{};
  const qsnet::Bench* bench = nullptr;  // that was run

  static void fields(auto& self, auto&& f) {
    f("options", self.options, "", "parameters of the NIC");
    f("results", self.tables, "", "tables of what was measured");
  }
};

// `nic` is elan3 or elan3:key=value,...; the traffic of the situation is bench:NAME. Throws InputError.
NicAnswer nic(const Situation& at, const std::string& nic);

}  // namespace banyan::ask
