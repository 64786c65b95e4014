// The loop over frames.
#include "reference/program/clip.hpp"

#include "discretizations/common/thrown.hpp"
#include "discretizations/mesh/characters/gltf_writer.hpp"
#include "discretizations/mesh/formats/writer.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/sweep/progress.hpp"
#include "experiments/harness/system/stop_signals.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "reference/program/video.hpp"
#include "reference/renderer/context.hpp"
#include "reference/session/playback.hpp"
#include "reference/view/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace shoal {
namespace {

namespace fs = std::filesystem;

const char* extension(MeshFormat format) {
  return format == MeshFormat::obj ? "obj" : format == MeshFormat::ply ? "ply" : "glb";
}

/// When frames are taken: at the nearest step, or, if the run chooses its steps, exactly at their times, which the steps meet.
class FrameTimes {
 public:
  FrameTimes(const ClipOptions& options, double end)
      : interval_(options.speed / options.rate),
        count_(options.frames > 0 ? options.frames
                                  : static_cast<std::int64_t>(std::floor(end / interval_ + 1e-9)) + 1) {}
  std::int64_t count() const { return count_; }
  double last() const { return time(count_ - 1); }
  /// The times of all frames, s.
  std::vector<double> all() const {
    std::vector<double> times;
    for (std::int64_t frame = 0; frame < count_; ++frame) times.push_back(time(frame));
    return times;
  }
  bool reached(std::int64_t frame, const Simulation& simulation) const {
    if (simulation.adaptive()) return simulation.time() >= time(frame);
    return simulation.steps_done() >= std::llround(time(frame) / simulation.dt());
  }
  /// "" if every frame time coincides with a step; otherwise a note on the deviation.
  std::string note(const Simulation& simulation) const {
    const double steps = interval_ / simulation.dt();
    if (simulation.adaptive() || (std::abs(steps - std::round(steps)) < 1e-6 * steps && steps > 0.5))
      return "";
    return fmt::format(
        "note: the frame interval {:.6g} s is {:.4g} steps of {:.6g} s; each frame shows the nearest step, "
        "up to "
        "{:.3g} s off",
        interval_, steps, simulation.dt(), 0.5 * simulation.dt());
  }

 private:
  double time(std::int64_t frame) const { return static_cast<double>(frame) * interval_; }
  double interval_;  // s
  std::int64_t count_;
};

/// The steps of earlier passes over a run, and how many passes are left with this one.
struct Pass {
  std::int64_t steps_before;
  int left;
  void show(const Simulation& simulation, const FrameTimes& times, RunStatus& status) const {
    const double rest = std::fmax(0, times.last() - simulation.time()) / simulation.dt();
    status.steps_done = steps_before + simulation.steps_done();
    status.steps =
        std::max<std::int64_t>(1, steps_before + left * (simulation.steps_done() + std::llround(rest)));
    status.time = simulation.time();
    status.end = times.last();
  }
};

/// Computes the run from frame to frame, like the harness.
class FilmedRun {
 public:
  FilmedRun(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface)
      : simulation(catalog, configuration, surface), shown(simulation), diagnostics_(simulation) {
    instability_ = diagnostics_.instability(diagnostics_.energy());
  }

  /// `follower` sees every step. False if the run ended before that frame; outcome() then gives the reason.
  bool advance_to(std::int64_t frame, const FrameTimes& times, Pass pass, RunStatus& status,
                  Progress& progress, RunView* follower = nullptr) {
    while (!times.reached(frame, simulation) && instability_.empty()) {
      if (stop_signal() != 0) return false;
      StageClock clock;
      try {
        report_ = simulation.step(clock);
      } catch (const MachineError&) {
        throw;
      } catch (const std::bad_alloc&) {
        throw;
      } catch (...) {
        report_ = {false, thrown()};
      }
      if (!report_.ok) return false;
      shown.find_sources();
      if (follower) follower->follow(shown);
      instability_ = diagnostics_.instability(diagnostics_.energy_between_rows());
      pass.show(simulation, times, status);
      progress.draw();
    }
    return instability_.empty() && stop_signal() == 0;
  }

  Outcome outcome() const {
    Outcome outcome{"finished", "", simulation.time(), simulation.steps_done()};
    if (!report_.ok)
      outcome.outcome = report_.unstable ? "unstable" : "solver-failed", outcome.reason = report_.reason;
    else if (!instability_.empty())
      outcome.outcome = "unstable", outcome.reason = instability_;
    else if (stop_signal() != 0)
      outcome.outcome = "interrupted", outcome.reason = stop_reason();
    return outcome;
  }

  Simulation simulation;
  LiveRun shown;

 private:
  Diagnostics diagnostics_;
  StepReport report_;
  std::string instability_;
};

/// The folders and files to which frames are written.
class Products {
 public:
  Products(const ClipOptions& options) : options_(options) {
    make_folder(options.png, "--png", "png");
    make_folder(options.meshes, "--meshes", extension(options.format));
    if (options.video.empty()) return;
    require_ffmpeg();
    if (fs::exists(options.video) && !options.fresh)
      throw Error(
          fmt::format("--video: '{}' already exists; use --fresh to replace it", options.video.string()));
    if (fs::is_directory(options.video))
      throw Error(fmt::format("--video: '{}' is a folder", options.video.string()));
    if (const fs::path folder = options.video.parent_path(); !folder.empty())
      make_folder(folder, "--video", "");
  }

  bool pictures() const { return !options_.png.empty() || !options_.video.empty(); }

  void add(std::int64_t frame, const Cutout& cutout) {
    write_png((options_.png / name(frame, "png")).string(), cutout);
  }

  void add(std::int64_t frame, const Image& image) {
    if (!options_.png.empty()) write_png((options_.png / name(frame, "png")).string(), image);
    if (options_.video.empty()) return;
    if (!video_) video_.emplace(options_.video, image.width, image.height, options_.rate);
    video_->add(image);
  }

  void add(std::int64_t frame, const FluidSurface& water, const Vector& depth) {
    const std::string path = (options_.meshes / name(frame, extension(options_.format))).string();
    if (options_.format == MeshFormat::obj)
      write_obj(path, water.points(), water.faces(), water.normals());
    else if (options_.format == MeshFormat::ply)
      write_ply(path, water.points(), water.faces(), water.normals(), {"depth", depth});
    else
      write_glb(path, water.points(), water.faces(), water.normals());
  }

  void finish() {
    if (video_) video_->finish();
  }

 private:
  static std::string name(std::int64_t frame, const std::string& suffix) {
    return fmt::format("frame-{:05}.{}", frame, suffix);
  }

  void make_folder(const fs::path& folder, const char* option, const std::string& suffix) const {
    if (folder.empty()) return;
    std::error_code failure;
    if (fs::exists(folder, failure) && !fs::is_directory(folder, failure))
      throw Error(fmt::format("{}: '{}' is a file, not a folder", option, folder.string()));
    fs::create_directories(folder, failure);
    if (!fs::is_directory(folder, failure))
      throw MachineError(fmt::format("{}: cannot create the folder '{}'", option, folder.string()));
    if (suffix.empty()) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string other = entry.path().filename().string();
      if (other.rfind("frame-", 0) != 0 || entry.path().extension() != "." + suffix) continue;
      if (!options_.fresh)
        throw Error(fmt::format("{}: the folder '{}' already contains frames; use --fresh to replace them",
                                option, folder.string()));
      fs::remove(entry.path(), failure);
    }
  }

  const ClipOptions& options_;
  std::optional<Video> video_;
};

/// Of no values: 0.
double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Draws frames and adds them to the products.
class FrameWriter {
 public:
  FrameWriter(const ViewOptions& view, const ClipOptions& options)
      : options_(options), science_(view.look == Look::science), products_(options) {
    if (!products_.pictures()) return;
    context_.emplace();
    renderer_.emplace(options.render);
    if (science_) font_.emplace();
  }
  bool pictures() const { return products_.pictures(); }

  void add(std::int64_t frame, RunView& view, const ShownRun& run) {
    if (pictures()) {
      const auto begin = StageClock::Clock::now();
      const Picture picture = view.picture(run);
      const auto prepared = StageClock::Clock::now();
      const auto annotate = [&](Image& image) {
        if (!science_) return;
        Legend legend = make_legend(view.scale(), picture, run.time(), image.height);
        legend.backing = !options_.transparent;
        draw_legend(image, *font_, legend);
      };
      const auto note_times = [&] {
        if (frame == 0) return;  // the first one compiles the shaders
        prepare_.push_back(std::chrono::duration<double>(prepared - begin).count());
        draw_.push_back(std::chrono::duration<double>(StageClock::Clock::now() - prepared).count());
      };
      if (options_.transparent) {
        const Cutout cutout = renderer_->draw_without_background(picture, annotate);
        note_times();
        products_.add(frame, cutout);
      } else {
        renderer_->draw(picture);
        Image image = renderer_->read();
        note_times();
        annotate(image);
        products_.add(frame, image);
      }
    }
    if (!options_.meshes.empty()) {
      const FluidSurface& water = view.water_surface(run);
      products_.add(frame, water, view.depth_on_surface());
    }
  }

  void finish(ClipEnd& end) {
    products_.finish();
    end.prepare = median(prepare_), end.draw = median(draw_);
  }

 private:
  const ClipOptions& options_;
  bool science_;
  Products products_;
  std::optional<OffscreenContext> context_;
  std::optional<Renderer> renderer_;
  std::optional<Font> font_;
  std::vector<double> prepare_, draw_;  // s, of each picture
};

std::string note_on_range(const RunView& view) {
  return fmt::format(
      "note: the colours show {} from {:.4g} to {:.4g}, the range over the clip; use --range A,B to set it",
      view.field_title(), view.range().first, view.range().second);
}

}  // namespace

ClipEnd make_clip_of_results(const Catalog& catalog, const std::string& file, const std::string& id,
                             const ViewOptions& view_options, const ClipOptions& options) {
  const StopSignals signals;
  const Results results(require_readable(catalog, file, id));
  SavedRun run(catalog, results, file, run_with_snapshots(results, file, id));
  std::vector<Index> snapshots;
  const std::vector<double>& times = run.times();
  const double interval = options.speed / options.rate, length = times.back() - times.front();
  const std::int64_t all = options.every_snapshot
                               ? std::int64_t{run.snapshot_count()}
                               : static_cast<std::int64_t>(std::floor(length / interval + 1e-9)) + 1;
  const std::int64_t count = options.frames > 0 ? std::min(options.frames, all) : all;
  for (std::int64_t frame = 0; frame < count; ++frame)
    snapshots.push_back(options.every_snapshot
                            ? static_cast<Index>(frame)
                            : run.snapshot_at(times.front() + static_cast<double>(frame) * interval));

  run.show_a_velocity();
  RunView view(run, view_options, static_cast<double>(options.render.width) / options.render.height);
  FrameWriter writer(view_options, options);
  Progress progress(options.quiet, 1);
  if (!run.note().empty()) progress.line("note: " + run.note());
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    if (i > 0 && snapshots[i] == snapshots[i - 1]) continue;
    run.show_snapshot(snapshots[i]);
    view.survey(run);
  }
  if (view_options.look == Look::science && !view.range_is_given() && writer.pictures())
    progress.line(note_on_range(view));
  ClipEnd end;
  end.outcome = {"finished", "", times.front(), 0};
  for (; end.frames < count && stop_signal() == 0; ++end.frames) {
    run.show_snapshot(snapshots[static_cast<std::size_t>(end.frames)]);
    writer.add(end.frames, view, run);
    end.outcome.t_reached = run.time();
  }
  writer.finish(end);
  end.signal = stop_signal();
  return end;
}

ClipEnd make_clip(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                  const ViewOptions& view_options, const ClipOptions& options) {
  const StopSignals signals;
  RunConfiguration filmed = configuration;
  auto run = std::make_unique<FilmedRun>(catalog, filmed, surface);
  const FrameTimes times(options, run->simulation.end());
  if (run->simulation.chooses_steps() && times.last() > run->simulation.end()) {
    filmed.end = times.last();  // no step is chosen beyond the end
    run = std::make_unique<FilmedRun>(catalog, filmed, surface);
  }
  run->simulation.meet(times.all());
  RunView view(run->shown, view_options, static_cast<double>(options.render.width) / options.render.height);
  FrameWriter writer(view_options, options);
  const bool science = view_options.look == Look::science;
  const bool twice =
      writer.pictures() && (run->simulation.scene().motion || !run->simulation.world().entrances().empty() ||
                            (science && (!view.range_is_given() || view_options.vectors)));
  Progress progress(options.quiet, 1);
  RunStatus status;
  Pass pass{0, twice ? 2 : 1};
  pass.show(run->simulation, times, status);
  progress.begin("", configuration, status);
  if (const std::string note = times.note(run->simulation); !note.empty()) progress.line(note);
  if (twice) {
    for (std::int64_t frame = 0;
         frame < times.count() && run->advance_to(frame, times, pass, status, progress); ++frame)
      view.survey(run->shown);
    pass = {run->simulation.steps_done(), 1};
    run = std::make_unique<FilmedRun>(catalog, filmed, surface);
    run->simulation.meet(times.all());
  } else {
    view.survey(run->shown);
  }
  if (science && writer.pictures() && !view.range_is_given()) progress.line(note_on_range(view));

  if (view_options.foam && !supports_foam(run->shown))
    progress.line(
        "note: no foam, which requires a velocity in each triangle of the mesh, and one that is not "
        "periodic");
  if (!science && !view.shows_water())
    progress.line(
        fmt::format("note: no water is visible: the depth is at most --iso-level, {:.4g} m, everywhere",
                    view_options.surface.iso_level));

  ClipEnd end;
  for (; end.frames < times.count(); ++end.frames) {
    if (end.frames == 0) view.follow(run->shown);
    if (!run->advance_to(end.frames, times, pass, status, progress, &view)) break;
    writer.add(end.frames, view, run->shown);
    progress.draw();
  }
  writer.finish(end);
  end.outcome = run->outcome();
  end.signal = stop_signal();
  progress.end("", configuration, end.outcome);
  return end;
}

}  // namespace shoal
