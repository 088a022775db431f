#include "measure/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "base/text.hpp"
#include "measure/json.hpp"

namespace weft::cli {

const ExchangeRecord* find(const ExchangeRecords& records, const std::string& method, int ranks,
                           Index bytes) {
    const auto found =
        std::find_if(records.begin(), records.end(), [&](const ExchangeRecord& record) {
            return record.method == method && record.ranks == ranks && record.bytes == bytes;
        });
    return found == records.end() ? nullptr : &*found;
}

namespace {

template <class T>
std::vector<T> distinct(const ExchangeRecords& records, T ExchangeRecord::*member) {
    std::vector<T> result;
    for (const ExchangeRecord& record : records) {
        const T& value = record.*member;
        if (std::find(result.begin(), result.end(), value) == result.end()) result.push_back(value);
    }
    return result;
}

Json json(const Statistics& seconds) {
    Json result = json(seconds.quartiles);
    result["mean"] = seconds.mean;
    result["deviation"] = seconds.deviation;
    return result;
}

Statistics parse_statistics(const Json& json) {
    return {json.at("mean").get<double>(),
            json.at("deviation").get<double>(),
            {json.at("median").get<double>(), json.at("q1").get<double>(),
             json.at("q3").get<double>()}};
}

/// A median over that of MPI_Alltoall in the same place; null if that was not measured.
Json ratio(const ExchangeRecords& records, const ExchangeRecord& record,
           Statistics ExchangeRecord::*seconds) {
    const ExchangeRecord* reference = find(records, reference_method, record.ranks, record.bytes);
    if (reference == nullptr || (reference->*seconds).quartiles.median <= 0) return nullptr;
    return (record.*seconds).quartiles.median / (reference->*seconds).quartiles.median;
}

ExchangeRecord parse_record(const Json& json) {
    ExchangeRecord record{json.at("method").get<std::string>(),
                          json.at("ranks").get<int>(),
                          json.at("bytes").get<Index>(),
                          json.at("problem").get<std::string>(),
                          json.at("repeats").get<int>(),
                          parse_statistics(json.at("with_barrier_s")),
                          parse_statistics(json.at("without_barrier_s"))};
    record.machine.mpi = json.at("mpi").get<std::string>();
    return record;
}

}  // namespace

std::vector<std::string> methods_of(const ExchangeRecords& records) {
    return distinct(records, &ExchangeRecord::method);
}
std::vector<int> ranks_of(const ExchangeRecords& records) {
    return distinct(records, &ExchangeRecord::ranks);
}
std::vector<Index> bytes_of(const ExchangeRecords& records) {
    return distinct(records, &ExchangeRecord::bytes);
}

std::string json_lines(const ExchangeRecords& records) {
    std::string text;
    for (const ExchangeRecord& record : records) {
        Json line;
        line["method"] = record.method;
        line["ranks"] = record.ranks;
        line["bytes"] = record.bytes;
        line["problem"] = record.problem;
        line["repeats"] = record.repeats;
        line["with_barrier_s"] = json(record.with_barrier);
        line["without_barrier_s"] = json(record.without_barrier);
        line["ratio"] = ratio(records, record, &ExchangeRecord::with_barrier);
        line["ratio_without_barrier"] = ratio(records, record, &ExchangeRecord::without_barrier);
        add_machine(line, record.machine);
        line["crowded"] = record.machine.crowded;
        text += line.dump() + "\n";
    }
    return text;
}

ExchangeRecords parse_records(const std::string& text, const std::string& file) {
    ExchangeRecords records;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        try {
            records.push_back(parse_record(Json::parse(line)));
        } catch (const Json::exception& error) {
            core::bad_request(
                fmt::format("'{}' line {} is not what weft exchange --json writes: {}", file,
                            number, error.what()));
        }
    }
    if (records.empty()) core::bad_request(fmt::format("'{}' has no measurements", file));
    return records;
}

std::string csv(const ExchangeRecords& records) {
    std::string text = "method,ranks,bytes,repeats";
    for (const char* when : {"with", "without"}) {
        text +=
            fmt::format(",{0}_barrier_mean_s,{0}_barrier_deviation_s,{0}_barrier_median_s", when);
    }
    text += '\n';
    for (const ExchangeRecord& record : records) {
        text += fmt::format("\"{}\",{},{},{}", record.method, record.ranks, record.bytes,
                            record.repeats);
        for (const Statistics* seconds : {&record.with_barrier, &record.without_barrier}) {
            text += fmt::format(",{:.9g},{:.9g},{:.9g}", seconds->mean, seconds->deviation,
                                seconds->quartiles.median);
        }
        text += '\n';
    }
    return text;
}

}  // namespace weft::cli
