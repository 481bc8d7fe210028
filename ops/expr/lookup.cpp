// Computes the tables of lookup.h at compile time from the leading bits of 2 / pi.
#include "ops/expr/lookup.h"

#include <stdexcept>

namespace ember::ops {
namespace {

constexpr uint64_t kTwoOverPi[] = {
    0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561, 0xB7246E3A424DD2E0,
    0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41, 0x3991D639835339F4,
    0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB, 0xF0CFBC209AF4361D,
};

// `count` bits of 2 / pi from bit `first`, where bit 0 has weight 1/2.
constexpr uint64_t take(int first, int count) {
  const int word = first / 64, shift = first % 64;
  uint64_t bits = kTwoOverPi[word] << shift;
  if (shift > 0) bits |= kTwoOverPi[word + 1] >> (64 - shift);
  return bits >> (64 - count);
}

constexpr double power_of_two(int exponent) { return std::bit_cast<double>(uint64_t(1023 + exponent) << 52); }

constexpr TurnsFloat make_float() {
  TurnsFloat t{};
  for (size_t e = 0; e < kTurnsFloat; ++e) {
    const int first = static_cast<int>(e);
    t.part[0][e] = static_cast<double>(take(first, 29)) * power_of_two(-4);
    t.part[1][e] = static_cast<double>(take(first + 29, 53)) * power_of_two(-57);
  }
  return t;
}

constexpr TurnsDouble make_double() {
  TurnsDouble t{};
  for (size_t e = 0; e < kTurnsDouble; ++e) {
    for (int k = 0; k < 4; ++k) {
      t.part[k][e] = static_cast<double>(take(static_cast<int>(e) + 53 * k, 53)) * power_of_two(1 - 53 * k);
    }
  }
  return t;
}

}  // namespace

constinit const TurnsFloat kTurnsOfFloat = make_float();
constinit const TurnsDouble kTurnsOfDouble = make_double();

size_t lookup_tables() { return kTables; }

const LookupTable& lookup_table(uint64_t number) {
  static const LookupTable tables[kTables] = {
      {DType::Float64, kTurnsOfFloat.part[0], kTurnsFloat},   {DType::Float64, kTurnsOfFloat.part[1], kTurnsFloat},
      {DType::Float64, kTurnsOfDouble.part[0], kTurnsDouble}, {DType::Float64, kTurnsOfDouble.part[1], kTurnsDouble},
      {DType::Float64, kTurnsOfDouble.part[2], kTurnsDouble}, {DType::Float64, kTurnsOfDouble.part[3], kTurnsDouble},
  };
  if (number >= kTables) throw std::out_of_range("no such lookup table");
  return tables[number];
}

}  // namespace ember::ops
