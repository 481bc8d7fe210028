// What the safetensors reader takes, and what it says of everything else.
#include "ops/text/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ops/table/op.h"

namespace ember::ops {
namespace {

std::vector<std::byte> file(const std::string& header, size_t data_bytes = 0) {
  std::vector<std::byte> out(8 + header.size());
  const uint64_t length = header.size();
  std::memcpy(out.data(), &length, 8);
  std::memcpy(out.data() + 8, header.data(), header.size());
  for (size_t i = 0; i < data_bytes; ++i) out.push_back(static_cast<std::byte>(i));
  return out;
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

std::string complaint(const std::vector<std::byte>& bytes) {
  try {
    read_safetensors(bytes);
  } catch (const OpError& e) {
    EXPECT_EQ(e.kind, OpError::Kind::Value);
    return e.what();
  }
  return "none";
}

std::string complaint(const std::string& header, size_t data_bytes = 0) { return complaint(file(header, data_bytes)); }

TEST(Safetensors, ReadsWhatItWrites) {
  const std::vector<StoredTensor> entries = {{"a", DType::Float32, {2, 3}, 0, 0},
                                             {"\"quoted\\\n", DType::Bool, {}, 0, 0},
                                             {"none", DType::BFloat16, {0, 4}, 0, 0}};
  const std::string head = safetensors_head(entries);
  std::vector<std::byte> bytes(head.size() + 25);
  std::memcpy(bytes.data(), head.data(), head.size());
  const std::vector<StoredTensor> read = read_safetensors(bytes);
  ASSERT_EQ(read.size(), entries.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, entries[i].name);
    EXPECT_EQ(read[i].dtype, entries[i].dtype);
    EXPECT_EQ(read[i].shape, entries[i].shape);
  }
  EXPECT_EQ(head.size() % 8, 0u);
}

TEST(Safetensors, ReadsEntriesInOrder) {
  const std::string header = "{\"__metadata__\":{\"format\":\"pt\"}," + entry("b", "I16", "[2, 1]", "[4,8]") + " , " +
                             entry("a", "F32", "[]", "[0,4]") + "," + entry("none", "F64", "[0,3]", "[8,8]") + "}  ";
  const auto bytes = file(header, 8);
  const auto entries = read_safetensors(bytes);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].name, "b");
  EXPECT_EQ(entries[0].dtype, DType::Int16);
  EXPECT_EQ(entries[0].shape, (Shape{2, 1}));
  EXPECT_EQ(entries[0].begin, bytes.size() - 4);
  EXPECT_EQ(entries[1].shape, Shape{});
  EXPECT_EQ(entries[0].end, bytes.size());
  EXPECT_EQ(entries[2].begin, entries[2].end);
}

TEST(Safetensors, KnowsEveryDtype) {
  const std::vector<std::string> codes = {"BOOL", "I8",   "I16", "I32", "I64", "U8",   "U16",     "U32",     "U64",
                                          "F16",  "BF16", "F32", "F64", "C64", "C128", "F8_E4M3", "F8_E5M2", "I4"};
  for (size_t i = 0; i < kDTypes; ++i) {
    const size_t bytes = itemsize(static_cast<DType>(i));
    const auto entries =
        read_safetensors(file("{" + entry("x", codes[i], "[1]", "[0," + std::to_string(bytes) + "]") + "}", bytes));
    EXPECT_EQ(entries[0].dtype, static_cast<DType>(i));
  }
}

TEST(Safetensors, NeedsOnlyTheHead) {
  const auto bytes = file("{" + entry("x", "BOOL", "[3]", "[0,3]") + "}", 3);
  const std::span head(bytes.data(), bytes.size() - 3);
  EXPECT_EQ(read_safetensors(head, bytes.size())[0].begin, head.size());
  EXPECT_THROW(read_safetensors(head, head.size()), OpError);
  EXPECT_THROW(read_safetensors(head.first(head.size() - 1), bytes.size()), OpError);
}

TEST(Safetensors, DecodesNames) {
  const auto entries = read_safetensors(file("{" + entry(R"(a\n\u00e9\ud83d\ude00\/)", "U8", "[0]", "[0,0]") + "," +
                                             entry("\u00e9", "U8", "[0]", "[0,0]") + "}"));
  EXPECT_EQ(entries[0].name, "a\n\u00e9\U0001F600/");
  EXPECT_EQ(entries[1].name, "\u00e9");
}

TEST(Safetensors, RefusesWrongLengths) {
  EXPECT_EQ(complaint(std::vector<std::byte>(7)), "it is shorter than its length field");
  auto bytes = file("{}");
  bytes[0] = std::byte{3};
  EXPECT_EQ(complaint(bytes), "its header is longer than the file");
  bytes[7] = std::byte{255};
  EXPECT_EQ(complaint(bytes), "its header is longer than the file");
  EXPECT_EQ(complaint("{}"), "none");
  EXPECT_EQ(complaint("{}", 1), "its data is longer than its tensors");
}

TEST(Safetensors, RefusesWhatIsNotItsJson) {
  for (const char* header : {"", "[]", " {}", "null"})
    EXPECT_EQ(complaint(header), "its header is no object") << header;
  for (const char* header :
       {"{", "{}x", "{,}", "{\"a\"}", "{\"__metadata__\":{\"a\":\"b\",}}", "{\"\\x\":{}}", "{\"\\ud800\":{}}",
        "{\"\\ude00\":{}}", "{\"\\u12\":{}}", "{\"\x80\":{}}", "{\"\xed\xa0\x80\":{}}", "{\"\xc0\x80\":{}}",
        "{\"\xf4\x90\x80\x80\":{}}", "{\"\n\":{}}", "{\"a"})
    EXPECT_EQ(complaint(header), "its header is not JSON") << header;
  EXPECT_EQ(complaint("{\"__metadata__\":[]}"), "its __metadata__ is no object");
  EXPECT_EQ(complaint("{\"__metadata__\":{\"a\":1}}"), "'a' of its __metadata__ is no string");
}

TEST(Safetensors, RefusesWrongEntries) {
  const std::string lacks = "the entry of 'x' lacks dtype, shape or data_offsets";
  EXPECT_EQ(complaint("{\"x\":1}"), lacks);
  EXPECT_EQ(complaint("{\"x\":{}}"), lacks);
  EXPECT_EQ(complaint("{\"x\":{\"dtype\":\"F32\",\"shape\":[0]}}"), lacks);
  EXPECT_EQ(complaint("{\"x\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}"), "the entry of 'x' says the same thing twice");
  EXPECT_EQ(complaint("{\"x\":{\"more\":1}}"), "the entry of 'x' has the unknown member 'more'");
  EXPECT_EQ(complaint("{\"x\":{\"dtype\":1}}"), "'x' has an unknown dtype");
  EXPECT_EQ(complaint("{" + entry("x", "F4", "[0]", "[0,0]") + "}"), "'x' has the unknown dtype 'F4'");
  const std::string same = entry("x", "U8", "[0]", "[0,0]");
  EXPECT_EQ(complaint("{" + same + "," + same + "}"), "'x' occurs twice");
}

TEST(Safetensors, RefusesWrongShapes) {
  for (const char* shape : {"1", "[-1]", "[1.0]", "[1e0]", "[01]", "[true]", "[\"1\"]", "[[1]]", "[1,]", "[,1]",
                            "[1,1,1,1,1,1,1,1,1]", "[9223372036854775808]", "[18446744073709551616]",
                            "[4294967296,4294967296]", "[0,9223372036854775807]", "[281474976710657]"})
    EXPECT_EQ(complaint("{" + entry("x", "U8", shape, "[0,0]") + "}"), "'x' has an unusable shape") << shape;
}

TEST(Safetensors, RefusesWrongOffsets) {
  for (const char* offsets : {"0", "[]", "[0]", "[0,0,0]", "[-1,0]", "[0,18446744073709551616]", "null"})
    EXPECT_EQ(complaint("{" + entry("x", "U8", "[0]", offsets) + "}"), "'x' has unusable data_offsets") << offsets;
  const std::string does_not_fit = "the data of 'x' does not fit its shape, or lies outside the file";
  for (const char* offsets : {"[0,3]", "[0,5]", "[2,1]", "[5,9]", "[0,18446744073709551615]"})
    EXPECT_EQ(complaint("{" + entry("x", "U8", "[4]", offsets) + "}", 8), does_not_fit) << offsets;
}

TEST(Safetensors, RefusesGapsAndOverlaps) {
  const auto two = [](const char* a, const char* b) {
    return complaint("{" + entry("a", "U8", "[4]", a) + "," + entry("b", "U8", "[4]", b) + "}", 9);
  };
  const std::string gap = "the data of 'b' leaves a gap or overlaps another's";
  EXPECT_EQ(two("[0,4]", "[5,9]"), gap);
  EXPECT_EQ(two("[0,4]", "[3,7]"), gap);
  EXPECT_EQ(two("[0,4]", "[0,4]").substr(0, 11), "the data of");
  EXPECT_EQ(two("[0,4]", "[4,8]"), "its data is longer than its tensors");
  EXPECT_EQ(two("[5,9]", "[1,5]"), gap);
}

}  // namespace
}  // namespace ember::ops
