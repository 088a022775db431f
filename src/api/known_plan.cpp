#include "api/known_plan.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <sstream>

#include "api/engine_wisdom.hpp"
#include "api/transports.hpp"
#include "api/usable_engines.hpp"
#include "api/wisdom_store.hpp"
#include "base/text.hpp"
#include "fft/engine.hpp"
#include "memory/processor.hpp"
#include "net/agree.hpp"
#include "net/mpi_library.hpp"
#include "net/rank_cores.hpp"
#include "net/rank_in.hpp"
#include "plan/plan.hpp"
#include "tune/constraint.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft {

namespace {

/// Collective.
core::TuningSite site_of(MPI_Comm comm, const core::Topology& nodes) {
    core::TuningSite site;
    std::string mine;
    core::all_or_none(comm, [&] {
        site.processor = core::processor_name();
        site.instruction_set = core::native_instruction_set();
        mine = site.processor + ", " + site.instruction_set;
    });
    const int threads = core::cores_of_each_rank(comm, nodes);
    const bool mixed = !core::is_same_everywhere(comm, mine);
    const std::string processor = core::told_by_first(comm, [&] { return site.processor; });
    const std::string instructions =
        core::told_by_first(comm, [&] { return site.instruction_set; });
    core::all_or_none(comm, [&] {
        site.processor = processor + (mixed ? " and others" : "");
        site.instruction_set = instructions;
        site.mpi = core::mpi_library();
        site.threads = threads;
        site.weft = version();
        core::place(site, nodes, core::ranks_in(comm));
    });
    return site;
}

/// Collective.
core::WisdomKey key_of(MPI_Comm comm, const core::Topology& nodes, const PlanQuestion& question) {
    core::TuningSite site = site_of(comm, nodes);
    core::WisdomKey key;
    core::all_or_none(comm, [&] {
        key.problem = to_string(question.problem);
        key.ranks = core::ranks_in(comm);
        key.constraint = to_string(question.constraint);
        key.conditions = question.conditions;
        key.site = std::move(site);
    });
    return key;
}

/// What rank 0 finds, as texts.
struct Found {
    std::string entry{};  ///< one line, or empty
    bool exact = false;
    std::string why{};
    std::string troubles{};  ///< one a line
    std::string learned{};   ///< without an exact entry, by the native engine on such a processor
};

/// What the native engine has learned when the last plan was tuned at that processor.
std::string learned_there(const core::Wisdom& wisdom, const core::TuningSite& site) {
    const std::string native(core::native_engine().name());
    const core::WisdomEntry* last = nullptr;
    for (const auto& [key, entry] : wisdom.entries) {
        const bool like = key.site.processor == site.processor &&
                          key.site.instruction_set == site.instruction_set;
        if (!like || !entry.engines.contains(native)) continue;
        if (last == nullptr || is_better(entry, *last)) last = &entry;
    }
    return last == nullptr ? "" : last->engines.at(native);
}

Found find(const core::WisdomKey& key, const std::string& tuning) {
    // Most lines of a long file are of other problems. They matter if there is no exact entry only.
    KnownWisdom known = known_wisdom('"' + key.problem + '"');
    core::Remembered remembered = look_up(known.wisdom, key, tuning);
    Found found;
    found.exact = remembered.exact != nullptr;
    if (!found.exact) {
        known = known_wisdom();
        remembered = look_up(known.wisdom, key, tuning);
        found.exact = remembered.exact != nullptr;
        found.troubles = fmt::format("{}", fmt::join(known.troubles, "\n"));
        if (!found.exact) found.learned = learned_there(known.wisdom, key.site);
    }
    const core::WisdomEntry* entry = found.exact ? remembered.exact : remembered.nearest;
    if (entry != nullptr) found.entry = core::to_text({{{entry->key, *entry}}, {}});
    found.why = remembered.why;
    return found;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result.push_back(line);
    return result;
}

/// Throws Error if the choice is no plan of the problem, or none that can run here; of an exact
/// entry also if it breaks the constraint of its key, as a line may that was merged or edited.
void check_possible(const PlanQuestion& question, const Choice& choice, bool exact, int ranks) {
    require_transports(core::make_plan(question.problem, choice, ranks));
    if (exact && !core::keeps_to(question.problem, choice, question.constraint, ranks)) {
        core::bad_request(
            fmt::format("the choice breaks the constraint '{}'", to_string(question.constraint)));
    }
}

/// Now, in the form of core::Evidence::date.
std::string date() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace

PlanQuestion question_of(const Problem& problem, const Choice& constraint, const Tuning& tuning) {
    Tuning conditions = tuning;
    conditions.effort = TuningEffort::none;
    conditions.limit.reset();
    conditions.uses.reset();
    conditions.machine.clear();
    return {problem, constraint, conditions == Tuning{} ? "" : to_string(conditions),
            to_string(tuning.effort)};
}

KnownPlan known_plan(MPI_Comm comm, const core::Topology& nodes, const PlanQuestion& question) {
    const core::WisdomKey key = key_of(comm, nodes, question);
    Found here;
    here.entry = core::told_by_first(comm, [&] {
        here = find(key, question.tuning);
        return here.entry;
    });
    here.exact = !core::told_by_first(comm, [&] { return here.exact ? "exact" : ""; }).empty();
    here.why = core::told_by_first(comm, [&] { return here.why; });
    here.troubles = core::told_by_first(comm, [&] { return here.troubles; });
    here.learned = core::told_by_first(comm, [&] { return here.learned; });
    KnownPlan known;
    std::optional<Choice> choice;
    core::all_or_none(comm, [&] {
        known.why = here.why;
        known.troubles = lines_of(here.troubles);
        (void)core::native_engine().import_wisdom(here.learned);
        const core::Wisdom one = core::read_wisdom(here.entry).wisdom;
        if (one.entries.empty()) return;
        known.entry = one.entries.begin()->second;
        choice = parse_choice(known.entry->choice);
    });
    if (!here.learned.empty()) agree_on_learned(comm);
    if (!choice) return known;
    try {
        core::all_or_none(comm, [&] {
            // A line may leave it open.
            choice->engine = engine_of(*choice);
            check_possible(question, *choice, here.exact, key.ranks);
        });
    } catch (const Error& error) {  // On all ranks.
        core::all_or_none(comm, [&] {
            known.why = fmt::format("'{}' of {} cannot be used: {}", known.entry->choice,
                                    known.entry->evidence.date, error.what());
            known.entry.reset();
        });
        return known;
    }
    if (here.exact) teach_engine(comm, *choice, *known.entry);
    core::all_or_none(comm, [&] {
        const bool measures = core::Placements(*choice).first().traits.measures;
        if (question.tuning == "frozen" && measures) choice->effort = Effort::estimate;
        (here.exact ? known.choice : known.start) = std::move(choice);
    });
    return known;
}

const Choice& require_known(const KnownPlan& known) {
    if (known.choice) return *known.choice;
    std::string text = "tuning=frozen: no plan is known here: " + known.why;
    for (const std::string& trouble : known.troubles) text += "; " + trouble;
    throw Error(ErrorCode::not_available, text +
                                              "; tune once with tuning=measure, or add the wisdom "
                                              "of another place with weft wisdom merge");
}

std::optional<std::string> remember_plan(MPI_Comm comm, const core::Topology& nodes,
                                         const PlanQuestion& question, const Choice& best,
                                         core::Evidence evidence, double patience) {
    const core::WisdomKey key = key_of(comm, nodes, question);
    const std::string learned = learned_by_engine(comm, question.problem, best);
    std::string trouble = core::told_by_first(comm, [&] {
        core::WisdomEntry entry{key, to_string(best), std::move(evidence), {}, {}};
        if (entry.evidence.date.empty()) entry.evidence.date = date();
        if (!learned.empty()) entry.engines[best.engine] = learned;
        try {
            remember(entry, patience);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    });
    if (trouble.empty()) return std::nullopt;
    return std::optional(std::move(trouble));
}

}  // namespace weft
