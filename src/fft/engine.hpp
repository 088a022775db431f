// The serial transforms under a plan: what an engine is, and which ones there are.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cost.hpp"
#include "base/fused_lines.hpp"
#include "base/no_copy.hpp"
#include "base/transforms.hpp"
#include "device/device.hpp"
#include "fft/tiles.hpp"
#include "weft/choice.hpp"

namespace weft::core {

/// A planned batch of transforms. Executing allocates nothing.
class FftPlan : public PreparedWork {
  public:
    /// On any arrays that lie as many bytes past a multiple of the engine's alignment() as those
    /// that it was planned for, unless the task says that they may lie otherwise.
    virtual void execute(std::byte* from, std::byte* to) = 0;
    /// Executes, unless the plan is a device's own work.
    void run(const DeviceView& /*view*/, std::span<std::byte* const> places) override {
        execute(places[0], places[1]);
    }
    using PreparedWork::run;
};

/// Plans transforms. Engines have no state that a caller could see.
class FftEngine : NoCopy {
  public:
    virtual ~FftEngine() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Which library, version and instruction set do the work, as far as is known; may be empty.
    /// Throws Error(not_available) if the library that was built against is not here.
    [[nodiscard]] virtual std::string description() const { return {}; }
    /// Estimated seconds of one execution on one core that has these rates: seconds(), unless the
    /// engine knows better.
    [[nodiscard]] virtual double cost(const FftTask& task, const CoreRates& rates) const;
    /// Plans run on arrays that lie as many bytes past a multiple of this as those they were made
    /// for. 1: they run on any, aligned to their element type.
    [[nodiscard]] virtual Index alignment() const { return 1; }
    /// Planning does not look at what is in the arrays. Where the task may not destroy its input, a
    /// c2r task has one transformed axis. Throws Error(not_available) where the thread's
    /// PlanningLimit (fft/planning_limit.hpp) is over before it is done. Lines of which a part is
    /// kept may be left to kept_plan (fft/kept_lines.hpp).
    [[nodiscard]] virtual std::unique_ptr<FftPlan> plan(const FftTask& task, Effort effort,
                                                        std::byte* from, std::byte* to) const = 0;
    /// How it would transform the lines of that task and what is against the ways that it prefers,
    /// a line of text for each; empty if it has one way only.
    [[nodiscard]] virtual std::string why(const FftTask& /*task*/) const { return {}; }
    /// Bytes of a device's memory that its plans work in beside their arrays, all in the same ones.
    [[nodiscard]] virtual Index work_bytes() const { return 0; }
    /// Measures how it transforms lines of these lengths fastest, for at most so many seconds, if
    /// that is not known on such a processor; plans that are made from then on know.
    virtual void learn(Precision /*precision*/, std::span<const Index> /*lengths*/,
                       double /*seconds*/) const {}
    /// What it has learned in this process, as a text for import_wisdom; empty: nothing.
    [[nodiscard]] virtual std::string export_wisdom() const { return {}; }
    /// Learns from a text of export_wisdom, so that plans for which it has what it needs measure
    /// nothing; what `learn` has brought in this process stays. Returns whether the text was
    /// understood; another version's is not, and does no harm.
    [[nodiscard]] virtual bool import_wisdom(const std::string& text) const { return text.empty(); }
    /// Transforms of lines in segments by a kernel of the device, whose places are those of the
    /// lines. Throws std::logic_error of an engine that does not fuse on a device.
    [[nodiscard]] virtual std::unique_ptr<PreparedWork> device_lines(const FusedLines& lines) const;
    /// Transforms of lines in segments, a tile at a time: gathered, unless the engine knows better.
    [[nodiscard]] virtual std::unique_ptr<TilePlan> tiles(const TileTask& task) const;
};

struct EngineInfo {
    std::string_view name;
    bool built_in = false;
    std::string_view summary;
};

/// All engines that this version of weft knows, the default first.
const std::vector<EngineInfo>& engines();

/// The default engine's name for an empty text; otherwise the same name, checked. Throws
/// Error(bad_request) if unknown, Error(not_available) if it is not built in.
std::string resolve_engine(std::string_view name);

/// The same of a plan that is computed on that device (base/devices.def; empty: on the host): the
/// device's own engines, if it has any, or the host's.
std::string resolve_engine(std::string_view name, std::string_view device);

/// The engine of that name; throws as resolve_engine does.
const FftEngine& engine(std::string_view name);

/// The engine of that name that computes on the device; null: on the host. Those of devices with
/// engines of their own are made anew; their plans keep them, and share their work memory: whoever
/// asks for one runs its plans one after the other. Throws as resolve_engine does.
std::shared_ptr<const FftEngine> engine_on(Device* device, std::string_view name);

/// native_engine(), fftw_engine(), ..: each is there only where weft was built with it.
#define WEFT_ENGINE(name, ...) const FftEngine& name##_engine();
#include "base/engines.def"
/// The widest vectors that the native engine uses here, by Highway's name: `AVX2`.
std::string native_instruction_set();
/// The processor whose measured choices the native engine takes, and those vectors: where they are
/// equal, it learns alike.
std::string native_learns_for();
/// The native engine forgets what `learn` and import_wisdom have brought.
void forget_native_wisdom();
/// The instruction sets that the native engine is compiled for, the widest vectors first.
struct InstructionSet {
    std::string_view name;
    bool here = false;  ///< this machine has it
};
std::vector<InstructionSet> native_instruction_sets();
}  // namespace weft::core
