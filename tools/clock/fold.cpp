#include "clock/fold.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>

#include "base/index.hpp"
#include "clock/mix.hpp"

namespace weft::core {

namespace {

using Hash = std::uint64_t;

/// Nothing but what the rank itself does.
Hash own_hash(const RankScript& rank) {
    Hash hash = std::bit_cast<std::uintptr_t>(rank.script.get());
    for (const SentMessage& one : rank.sends)
        hash = mix(hash, std::bit_cast<std::uint32_t>(one.bytes));
    for (const Wave& one : rank.waves.all) hash = mix(mix(hash, one.sends), one.receives);
    return hash;
}

class Refinement {
  public:
    Refinement(const Scripts& scripts, int unit) : scripts_(scripts), unit_(unit) {
        for (int rank = 0; rank < scripts.ranks(); ++rank)
            hashes_.push_back(own_hash(scripts.of(rank)));
        number_classes();
    }

    Folded run() {
        for (std::size_t before = 0; before != count_;) {
            before = count_;
            std::vector<Hash> refined(hashes_.size());
            for (std::size_t rank = 0; rank < refined.size(); ++rank) {
                Hash hash = hashes_[rank];
                const RankScript& own = scripts_.of(static_cast<int>(rank));
                for (const SentMessage& one : own.sends) {
                    const auto peer = usize(one.peer);
                    const bool near = rank / usize(unit_) == peer / usize(unit_);
                    hash = mix(mix(hash, hashes_[peer]), near ? peer % usize(unit_) + 1 : 0);
                }
                refined[rank] = hash;
            }
            hashes_ = std::move(refined);
            number_classes();
        }
        Folded result;
        std::unordered_map<Hash, int> numbers;
        for (std::size_t rank = 0; rank < hashes_.size(); ++rank) {
            const auto next = static_cast<int>(result.size.size());
            const auto [found, is_new] = numbers.emplace(hashes_[rank], next);
            if (is_new) {
                result.stands.push_back(static_cast<int>(rank));
                result.size.push_back(0);
            }
            result.class_of.push_back(found->second);
            ++result.size[usize(found->second)];
        }
        return result;
    }

  private:
    /// A rank's hash has those of all ranks of its unit in it, and its place there.
    void number_classes() {
        const auto ranks = hashes_.size();
        for (std::size_t begin = 0; begin < ranks; begin += usize(unit_)) {
            const std::size_t end = std::min(ranks, begin + usize(unit_));
            Hash all = end - begin;
            for (std::size_t rank = begin; rank < end; ++rank) all = mix(all, hashes_[rank]);
            for (std::size_t rank = begin; rank < end; ++rank)
                hashes_[rank] = mix(all, rank - begin);
        }
        std::vector<Hash> sorted = hashes_;
        std::sort(sorted.begin(), sorted.end());
        count_ = usize(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    }

    const Scripts& scripts_;
    int unit_;
    std::vector<Hash> hashes_;
    std::size_t count_ = 0;
};

}  // namespace

Folded folded(const Scripts& scripts, std::optional<int> apart) {
    if (apart) return Refinement(scripts, *apart).run();
    Folded result{all_below(scripts.ranks()), all_below(scripts.ranks()), {}};
    result.size.assign(usize(scripts.ranks()), 1);
    return result;
}

}  // namespace weft::core
