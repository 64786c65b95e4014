#include "reference/window/panels.hpp"

#include "reference/session/plan_to_play.hpp"
#include "reference/session/scheme_change.hpp"
#include "solvers/coupling/solid.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

namespace shoal {
namespace {

void push(std::vector<float>& values, double value) {
  values.push_back(static_cast<float>(value));
  if (values.size() > History::kept) values.erase(values.begin());
}

void plot(const char* name, const std::vector<float>& values, const std::string& now) {
  if (values.empty()) {
    ImGui::Dummy(ImVec2(0, 48));  // as high as it will be
    return;
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const float margin = std::max(0.05F * (*high - *low), 1e-6F * std::abs(*high));
  ImGui::PlotLines(name, values.data(), static_cast<int>(values.size()), 0, now.c_str(), *low - margin,
                   *high + margin, ImVec2(0, 48));
}

void text(const std::string& line) {
  ImGui::TextUnformatted(line.c_str());
}

/// The next widget, as wide as its words and `more`, goes beside the last one if there is room.
void continue_line(const char* words, float more = 0) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = ImGui::CalcTextSize(words).x + 2 * style.FramePadding.x + more,
              left = ImGui::GetItemRectMax().x + style.ItemSpacing.x;
  if (left + width <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine();
}

bool slider(const char* name, double& value, double low, double high, const char* format) {
  return ImGui::SliderScalar(name, ImGuiDataType_Double, &value, &low, &high, format,
                             ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
}

/// A list of names of which one is chosen; returns another that was clicked.
template <class List>
std::optional<std::string> choose(const char* label, const std::string& now, const List& list) {
  std::optional<std::string> chosen;
  if (!ImGui::BeginCombo(label, now.c_str())) return chosen;
  for (const auto& entry : list)
    if (ImGui::Selectable(entry.name.c_str(), entry.name == now) && entry.name != now) chosen = entry.name;
  ImGui::EndCombo();
  return chosen;
}

void change(Session& session, const std::string& key, const std::string& value) {
  session.act({0, ChangeInput{{{key, value}}}});
}

/// An invalid change is passed on unchanged, so that the session reports the reason.
void change_scheme(Session& session, const RunConfiguration& c, const Catalog& catalog,
                   const std::string& key, const std::string& name) {
  session.act({0, scheme_change(catalog, c, key, name).value_or(ChangeInput{{{key, name}}})});
}

void draw_scheme(PanelState& state, Session& session, const RunConfiguration& c, const Catalog& catalog) {
  if (!ImGui::CollapsingHeader("numerical scheme", ImGuiTreeNodeFlags_DefaultOpen)) return;
  if (const auto name = choose("discretization", c.discretization, catalog.discretizations))
    change_scheme(session, c, catalog, "discretization", *name);
  if (const auto name = choose("integrator", c.integrator, catalog.integrators))
    change_scheme(session, c, catalog, "integrator", *name);
  // A part that a scheme does not have leaves its line in place.
  const auto line = [](const char* words) {
    ImGui::AlignTextToFramePadding();
    text(words);
  };
  if (c.linear_solver.empty())
    line("linear solver: none");
  else if (const auto name = choose("linear solver", c.linear_solver, catalog.linear_solvers))
    change(session, "linear_solver", *name);
  if (c.advection == "built-in")
    line("advection: included in the flux");
  else if (const auto name = choose("advection", c.advection, catalog.advections))
    change(session, "advection", *name);
  int substeps = c.substeps.value_or(1);
  if (catalog.integrators.find(c.integrator).default_substeps == 0)
    line("substeps: none");
  else if (enter(state.entry, "substeps", substeps,
                 [](int& number) { return ImGui::InputInt("substeps", &number, 1, 5); }))
    change(session, "substeps", std::to_string(substeps));
}

/// A field that edits a parameter; returns its new value.
std::optional<std::string> edit(Entry& entry, const ParameterInfo& info, const Value& value) {
  const char* const name = info.name.c_str();
  std::optional<std::string> edited;
  if (!info.choices.empty()) {
    const std::string now = std::get<std::string>(value);
    if (ImGui::BeginCombo(name, now.c_str())) {
      for (const std::string& word : info.choices)
        if (ImGui::Selectable(word.c_str(), word == now) && word != now) edited = word;
      ImGui::EndCombo();
    }
  } else if (const double* number = std::get_if<double>(&value)) {
    double changed = *number;
    if (enter(entry, name, changed,
              [&](double& typed) { return ImGui::InputDouble(name, &typed, 0, 0, "%.6g"); }) &&
        changed != *number)
      edited = fmt::format("{}", changed);
  } else {
    std::string text = std::get<std::string>(value);
    if (enter(entry, name, text, [&](std::string& typed) { return ImGui::InputText(name, &typed); }))
      edited = text;
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s [%s]", info.meaning.c_str(), info.unit.c_str());
  return edited;
}

/// The parameters that can be changed during a run.
void draw_parameters(Entry& entry, Session& session, const RunConfiguration& c, const Catalog& catalog) {
  if (!ImGui::CollapsingHeader("parameters")) return;
  const Parameters values = parameters_of(catalog, c);
  for (const ParameterInfo& info : declared_parameters(catalog, c))
    if (const Value* value = values.value(info.name); value && can_change(catalog, c, info.name))
      if (const auto edited = edit(entry, info, *value)) change(session, info.name, *edited);
}

void draw_clips(PanelState& state, Session& session, const FrameSnapshot& moment) {
  if (moment.clips.empty() || !ImGui::CollapsingHeader("clips", ImGuiTreeNodeFlags_DefaultOpen)) return;
  for (const ShownClip& clip : moment.clips) {
    ImGui::PushID(clip.name.c_str());
    double& weight = state.clip_weights[clip.name];
    const double none = 0, whole = 1;
    ImGui::SetNextItemWidth(110);
    ImGui::SliderScalar("##weight", ImGuiDataType_Double, &weight, &none, &whole, "%.2f",
                        ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemDeactivatedAfterEdit())
      session.act({0, ClipInput{clip.name, weight, state.cycle_delay}});
    else if (!ImGui::IsItemActive())
      weight = clip.weight;
    ImGui::SameLine();
    bool on = clip.weight > 0;
    if (ImGui::Checkbox("##on", &on))
      session.act({0, ClipInput{clip.name, on ? 1.0 : 0.0, state.cycle_delay}});
    ImGui::SameLine();
    if (ImGui::SmallButton("play once"))
      session.act({0, ActionInput{clip.name, 1, state.action_delay, state.autolock}});
    if (clip.holds) {
      ImGui::SameLine();
      if (ImGui::SmallButton("release")) session.act({0, ActionInput{clip.name, 0, state.action_delay}});
    }
    ImGui::SameLine();
    text(clip.name);
    ImGui::PopID();
  }
  if (ImGui::Checkbox("hold", &state.frozen)) session.act({0, ClipSpeedInput{state.frozen ? 0.0 : 1.0}});
  ImGui::SameLine();
  ImGui::Checkbox("autolock", &state.autolock);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("clips that are played once keep their last pose");
  slider("loop delay, s", state.cycle_delay, 0.01, 5, "%.2f");
  slider("start delay, s", state.action_delay, 0.01, 5, "%.2f");
}

/// The files beside the one that is named in the field "file"; a click opens one, or lists a folder.
void list_files(PanelState& state) {
  std::string& file = state.beginning.file;
  const std::string folder = file.substr(0, file.rfind('/') + 1);
  if (!ImGui::BeginCombo("files", folder.empty() ? "…" : folder.c_str())) return;
  const auto choose_folder = [&](const std::string& name) {
    if (ImGui::Selectable(name.c_str(), false, ImGuiSelectableFlags_DontClosePopups)) file = folder + name;
  };
  choose_folder("../");
  for (const std::string& name : files_to_show(folder)) {
    if (name.ends_with('/')) {
      choose_folder(name);
    } else if (ImGui::Selectable(name.c_str())) {
      file = folder + name;
      state.wants.file = true;
    }
  }
  ImGui::EndCombo();
}

/// The settings of a new run, which replaces the present one.
void draw_beginning(PanelState& state, const Catalog& catalog, bool open) {
  if (!ImGui::CollapsingHeader("new run", open ? ImGuiTreeNodeFlags_DefaultOpen : 0)) return;
  Beginning& b = state.beginning;
  ImGui::PushID("beginning");
  if (const auto name = choose("scene", b.scene, catalog.scenes)) {
    b.scene = *name;
    b.mesh.clear();
    b.parameters.clear();
  }
  const SceneEntry& scene = catalog.scenes.find(b.scene);
  ImGui::InputTextWithHint("mesh", scene.default_mesh.c_str(), &b.mesh);
  if (const auto name = choose("discretization", b.discretization, catalog.discretizations))
    b.discretization = *name;
  if (const auto name = choose("integrator", b.integrator, catalog.integrators)) b.integrator = *name;
  ImGui::InputTextWithHint("dt, s", "scene default", &b.dt);
  for (const ParameterInfo& info : scene.parameters) {
    std::string& value = b.parameters.try_emplace(info.name, to_string(info.fallback)).first->second;
    if (info.choices.empty()) {
      ImGui::InputText(info.name.c_str(), &value);
    } else if (ImGui::BeginCombo(info.name.c_str(), value.c_str())) {
      for (const std::string& word : info.choices)
        if (ImGui::Selectable(word.c_str(), word == value)) value = word;
      ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s [%s]", info.meaning.c_str(), info.unit.c_str());
  }
  if (ImGui::Button("start")) state.wants.run = true;
  ImGui::InputTextWithHint("file", "results, experiment or mesh", &b.file);
  list_files(state);
  if (ImGui::Button("open")) state.wants.file = true;
  ImGui::SameLine();
  text("or drop a file on the picture");
  ImGui::PopID();
}

/// "2: in 0.01 m³/s"
std::string line_of(const ShownSource& source) {
  std::string line = name_of(source) + ": ";
  if (source.is_push)
    line += fmt::format("{:.3g} m/s²", source.acceleration.norm());
  else
    line += fmt::format("{} {:.3g} m³/s", source.discharge < 0 ? "out" : "in", std::abs(source.discharge));
  if (std::isfinite(source.until)) line += fmt::format(", until t = {:.4g} s", source.until);
  return line;
}

/// The file that is shown and its runs, of which one can be chosen.
void draw_runs(PanelState& state) {
  RunsOfFile& of = state.runs;
  if (of.file.empty()) return;
  text(of.file);
  const auto label = [&](std::size_t i) { return of.labels[i].c_str(); };
  std::size_t now = 0;
  while (now + 1 < of.runs.size() && of.runs[now].id != of.now) ++now;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize("run").x -
                          2 * ImGui::GetStyle().ItemSpacing.x);
  if (!ImGui::BeginCombo("run", label(now), ImGuiComboFlags_HeightLarge)) return;
  for (std::size_t i = 0; i < of.runs.size(); ++i)
    if (ImGui::Selectable(label(i), i == now) && i != now) state.wants.id = of.runs[i].id;
  ImGui::EndCombo();
}

void draw_playback(Playback& playback, const FrameSnapshot& moment) {
  const std::vector<double>& times = playback.run().times();
  const RunConfiguration& c = moment.configuration;
  text(fmt::format("{} on {}, {}, {}", c.scene, c.mesh, c.discretization, c.integrator));
  double time = moment.time;
  if (ImGui::SliderScalar("time, s", ImGuiDataType_Double, &time, &times.front(), &times.back(), "%.4g",
                          ImGuiSliderFlags_AlwaysClamp))
    playback.go_to(time);
  text(fmt::format("snapshot {} of {}", playback.run().snapshot() + 1, times.size()));
  double speed = playback.speed();
  if (slider("playback speed", speed, 1e-3, 1e6, "%.3g")) playback.set_speed(speed);
  bool repeats = playback.repeats();
  if (ImGui::Checkbox("repeat", &repeats)) playback.set_repeats(repeats);
}

void draw_tools(PanelState& state) {
  if (!ImGui::CollapsingHeader("interaction", ImGuiTreeNodeFlags_DefaultOpen)) return;
  const std::string& now = state.bodies[static_cast<std::size_t>(state.body)].name;
  if (ImGui::BeginCombo("object to throw", now.c_str())) {
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      if (ImGui::Selectable(state.bodies[i].name.c_str(), static_cast<int>(i) == state.body))
        state.body = static_cast<int>(i);
    ImGui::EndCombo();
  }
  ImGui::InputTextWithHint("##body file", "closed mesh, or drop it here", &state.body_file);
  ImGui::SameLine();
  if (ImGui::Button("add object")) state.wants.body = true;
  slider("object density, kg/m³", state.solid_density, 50, 10000, "%.0f");
  slider("throw speed, m/s", state.throw_speed, 1e-3 * state.usual.throw_speed, 1e3 * state.usual.throw_speed,
         "%.3g");
  int source = state.by_divergence ? 1 : 0;
  ImGui::RadioButton("source: discharge", &source, 0);
  ImGui::SameLine();
  ImGui::RadioButton("divergence of a cell", &source, 1);
  state.by_divergence = source == 1;
  if (state.by_divergence) {
    double inflow = -state.divergence;
    slider("−divergence, m/s", inflow, 0.01, 1000, "%.3g");
    state.divergence = -inflow;
  } else {
    slider("inflow, m³/s", state.discharge, 1e-3 * state.usual.discharge, 1e3 * state.usual.discharge,
           "%.3g");
    slider("source radius, m", state.source_radius, 1e-3 * state.usual.source_radius,
           1e3 * state.usual.source_radius, "%.3g");
  }
  slider("push strength, m/s²", state.push_mean, 0.01, 1000, "%.3g");
  slider("push radius, m", state.push_sigma, 1e-3 * state.usual.push_sigma, 1e3 * state.usual.push_sigma,
         "%.3g");
}

/// The colours of the scalar that is shown.
bool draw_colors(PanelState& state, const FrameSnapshot& moment) {
  ViewOptions& view = state.view;
  bool changed = false;
  const std::string by_field = "by the quantity", now = view.color_map.empty() ? by_field : view.color_map;
  if (ImGui::BeginCombo("colour map", now.c_str())) {
    const auto choice = [&](const std::string& label, const std::string& name) {
      if (!ImGui::Selectable(label.c_str(), name == view.color_map)) return;
      view.color_map = name;
      changed = true;
    };
    choice(by_field, "");
    for (const ColorMap& map : color_maps()) choice(map.name, map.name);
    ImGui::EndCombo();
  }
  const auto [low, high] = moment.scale.range;
  if (ImGui::Checkbox("log scale", &view.logarithmic)) {
    if (view.range && !(view.range->first > 0)) view.range.reset();  // the data choose another
    changed = true;
  }
  ImGui::SameLine();
  bool given = view.range.has_value();
  if (ImGui::Checkbox("lock colour range", &given)) {
    view.range = given ? std::optional(moment.scale.range) : std::nullopt;
    changed = true;
  }
  std::array<double, 2> ends = {low, high};
  if (enter(state.entry, "range", ends, [](std::array<double, 2>& typed) {
        return ImGui::InputScalarN("range", ImGuiDataType_Double, typed.data(), 2, nullptr, nullptr, "%.4g");
      })) {
    if (ends[1] - ends[0] > 1e-9 * std::max(std::abs(ends[0]), std::abs(ends[1])) &&
        std::isfinite(ends[1] - ends[0])) {
      view.range = {ends[0], ends[1]};
      changed = true;
    } else {
      state.warn(fmt::format("The range from {:.4g} to {:.4g} is empty.", ends[0], ends[1]));
    }
  }
  if (ImGui::Button("fit range to this instant")) {
    view.range = moment.scale.instant;
    changed = true;
  }
  return changed;
}

/// The scalars, of which one may be shown in colours, and the vectors, which are shown as arrows.
void draw_quantities(PanelState& state, const FrameSnapshot& moment) {
  if (std::exchange(state.opens_quantities, false)) ImGui::SetNextItemOpen(true);
  if (!ImGui::CollapsingHeader("quantities")) return;
  ViewOptions& view = state.view;
  bool changed = false;
  const std::string colored = view.look == Look::science ? view.field : "";  // before any click
  for (const ShownField& field : moment.fields) {
    bool shown = view.look == Look::science && view.field == field.name;
    const std::string label = title_of(field) + "##scalar";
    if (ImGui::Checkbox(label.c_str(), &shown)) {
      view.look = shown ? Look::science : Look::water;
      state.choose_field(field.name);
      changed = true;
    }
    if (field.name == colored) {
      ImGui::Indent();
      changed |= draw_colors(state, moment);
      ImGui::Unindent();
    }
  }
  if (moment.has_velocity) {
    changed |= ImGui::Checkbox("velocity of faces, m/s", &view.vectors);
    changed |= ImGui::Checkbox("velocity of vertices, m/s", &view.vertex_vectors);
  }
  if (moment.has_acceleration)
    changed |= ImGui::Checkbox("tangential acceleration, m/s²", &view.acceleration);
  if (changed) state.wants.view = true;
}

void draw_look(PanelState& state, const FrameSnapshot& moment) {
  if (!ImGui::CollapsingHeader("display", ImGuiTreeNodeFlags_DefaultOpen)) return;
  int fly = state.flying ? 1 : 0;
  ImGui::RadioButton("orbit", &fly, 0);
  ImGui::SameLine();
  ImGui::RadioButton("fly (f)", &fly, 1);
  state.flying = fly == 1;
  int look = state.view.look == Look::science ? 1 : 0;
  bool changed = ImGui::RadioButton("realistic", &look, 0);
  ImGui::SameLine();
  changed |= ImGui::RadioButton("scientific", &look, 1);
  state.view.look = look == 1 ? Look::science : Look::water;
  if (changed && look == 1) state.opens_quantities = true;
  if (look == 1) {
    double dry = std::clamp(moment.scale.dry_depth, 1e-9 * state.size, 0.1 * state.size);
    if (slider("dry depth, m", dry, 1e-9 * state.size, 0.1 * state.size, "%.3g")) {
      state.view.dry_depth = dry;
      changed = true;
    }
  } else {
    ImGui::Checkbox("high quality", &state.beautiful);
    ImGui::SameLine();
    ImGui::Checkbox("shadows (F5)", &state.shadows);
  }
  changed |= slider("elevation scale", state.view.exaggeration, 0.1, 100, "%.2g");
  double choppy = std::max(1e-4, state.view.choppy);
  if (slider("choppy waves, s²", choppy, 1e-4, 1, choppy > 1e-4 ? "%.2g" : "0")) {
    state.view.choppy = choppy > 1e-4 ? choppy : 0;
    changed = true;
  }
  changed |=
      slider("wet threshold, m", state.view.surface.iso_level, 1e-6 * state.size, 0.1 * state.size, "%.3g");
  changed |=
      slider("edge offset, m", state.view.surface.thickness, 1e-6 * state.size, 0.1 * state.size, "%.3g");
  if (changed) state.wants.view = true;
}

void draw_overlays(PanelState& state, const FrameSnapshot& moment) {
  if (!ImGui::CollapsingHeader("overlays", ImGuiTreeNodeFlags_DefaultOpen)) return;
  ViewOptions& view = state.view;
  bool changed = ImGui::Checkbox("mesh edges", &view.lines);
  ImGui::SameLine();
  changed |= ImGui::Checkbox("water surface and bed", &view.fluid_mesh);
  if (moment.has_velocity) {
    changed |= ImGui::Checkbox("vertex velocity in each triangle", &view.fan_vectors);
    changed |= ImGui::Checkbox("pathlines from faces", &view.face_traces);
    changed |= ImGui::Checkbox("pathlines from vertices", &view.vertex_traces);
    changed |= ImGui::Checkbox("from faces, with the velocity of their start", &view.start_traces);
    if (view.face_traces || view.start_traces || view.vertex_traces) {
      double time = view.trace_time.value_or(moment.dt);
      if (slider("pathline length, s", time, 1e-4, 100, "%.3g")) {
        view.trace_time = time;
        changed = true;
      }
    }
  }
  if (moment.has_skeleton) changed |= ImGui::Checkbox("skeleton", &view.skeleton);
  changed |= ImGui::Checkbox("source markers", &view.sources);
  if (moment.supports_foam) {
    ImGui::SameLine();
    changed |= ImGui::Checkbox("foam", &view.foam);
    if (view.foam) {
      changed |= slider("spray of fast water", view.foam_options.roughness, 0.1, 1e5, "%.3g");
      changed |= slider("spray of rising water", view.foam_options.accumulation, 0.1, 1e5, "%.3g");
      changed |= slider("lifetime of foam, s", view.foam_options.lifetime, 0.1, 100, "%.3g");
    }
  }
  const double none = 0, whole = 1;
  changed |= ImGui::SliderScalar("surface opacity", ImGuiDataType_Double, &view.mesh_opacity, &none, &whole,
                                 "%.2f", ImGuiSliderFlags_AlwaysClamp);
  if (changed) state.wants.view = true;
}

/// An input that can be removed, as the list shows it.
struct ListedInput {
  std::string name, line;
  RemoveInput removal;
};

std::vector<ListedInput> removable_inputs(const FrameSnapshot& moment) {
  std::vector<ListedInput> inputs;
  for (const auto& [source, at] : moment.sources)
    inputs.push_back(
        {name_of(source), line_of(source),
         source.is_push ? RemoveInput{.push = source.number} : RemoveInput{.source = source.number}});
  for (const MarkedBody& body : moment.bodies) inputs.push_back({body.name, body.name, {.body = body.name}});
  return inputs;
}

/// The sources, the pushes that last longer than a step, and the bodies, one per line, each with a button that removes it.
void draw_inputs(PanelState& state, Session& session, const FrameSnapshot& moment) {
  state.pointed.clear();
  const std::vector<ListedInput> inputs = removable_inputs(moment);
  const std::string title = fmt::format("sources, pushes and bodies ({})###inputs", inputs.size());
  if (!ImGui::CollapsingHeader(title.c_str(), ImGuiTreeNodeFlags_DefaultOpen)) return;
  if (inputs.empty())
    text("none");
  else if (ImGui::SmallButton("remove all"))
    for (const ListedInput& input : inputs) session.act({0, input.removal});
  constexpr float lines = 2.5F;  // also of an empty list, so that what is below stays in place
  const float height = lines * ImGui::GetFrameHeightWithSpacing();
  if (ImGui::BeginChild("list of inputs", ImVec2(0, height))) {
    if (inputs.empty())
      ImGui::TextWrapped("hold v: pour at the cursor; m, n: source, sink that lasts; space: throw");
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(inputs.size()), ImGui::GetFrameHeightWithSpacing());
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const ListedInput& input = inputs[static_cast<std::size_t>(i)];
        ImGui::PushID(input.name.c_str());
        ImGui::AlignTextToFramePadding();
        if (ImGui::Button("remove")) session.act({0, input.removal});
        bool pointed = ImGui::IsItemHovered();
        ImGui::SameLine();
        text(input.line);
        pointed = pointed || ImGui::IsItemHovered();
        if (pointed) state.pointed = input.name;
        ImGui::PopID();
      }
  }
  ImGui::EndChild();
}

/// Hues at multiples of the golden ratio, so that the colours of neighbouring stages are easy to tell apart.
ImU32 stage_color(std::size_t stage) {
  float red = 0, green = 0, blue = 0;
  const float golden = 0.618034F, turn = golden * static_cast<float>(stage);
  ImGui::ColorConvertHSVtoRGB(turn - std::floor(turn), stage % 2 == 0 ? 0.55F : 0.85F, 0.95F, red, green,
                              blue);
  return ImGui::ColorConvertFloat4ToU32({red, green, blue, 1});
}

/// The label of a stage; the last is the time outside of all stages.
const char* stage_label(std::size_t stage) {
  if (stage >= stage_count) return "other";
  return stage == static_cast<std::size_t>(Stage::work) ? "diagnostics" : stage_names[stage];
}

/// The time of each recent step, its stages stacked. The scale is a quantile, so that a few interrupted steps do not set it.
void plot_stages(const PanelState& state) {
  std::array<float, stage_count + 1> max_ms{};
  std::vector<float> sums;
  for (const auto& step : state.history.stage_ms) {
    for (std::size_t i = 0; i < step.size(); ++i) max_ms[i] = std::max(max_ms[i], step[i]);
    sums.push_back(std::accumulate(step.begin(), step.end(), 0.0F));
  }
  if (sums.empty()) sums.push_back(0);
  const float now = sums.back();
  std::sort(sums.begin(), sums.end());
  const float highest = std::max(1e-3F, 1.2F * sums[sums.size() * 19 / 20]);
  const ImVec2 corner = ImGui::GetCursorScreenPos(), size(ImGui::CalcItemWidth(), 60);
  ImDrawList& drawing = *ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  drawing.AddRectFilled(corner, end, IM_COL32(40, 42, 48, 255));
  const float wide = size.x / static_cast<float>(History::kept);
  for (std::size_t s = 0; s < state.history.stage_ms.size(); ++s) {
    float base = end.y;
    const float left = corner.x + wide * static_cast<float>(s);
    for (std::size_t i = 0; i < max_ms.size(); ++i) {
      const float height = std::min(state.history.stage_ms[s][i] / highest * size.y, base - corner.y);
      if (height < 0.01F) continue;
      drawing.AddRectFilled({left, base - height}, {left + std::max(1.0F, wide), base}, stage_color(i));
      base -= height;
    }
  }
  ImGui::Dummy(size);
  ImGui::SameLine();
  text(fmt::format("step time {:.3g} ms\nmax {:.3g} ms", now, sums.back()));
  // Columns and height stay the same, whatever the stages.
  const float column = ImGui::CalcTextSize("factorization 0.0012").x,
              wide_all = ImGui::GetContentRegionAvail().x;
  const int columns = std::max(1, static_cast<int>(wide_all / column)), lines = 3;
  if (ImGui::BeginChild("stages",
                        ImVec2(0, static_cast<float>(lines) * ImGui::GetTextLineHeightWithSpacing()))) {
    int shown = 0;
    for (std::size_t i = 0; i < max_ms.size(); ++i) {
      if (max_ms[i] < 0.01F * highest) continue;
      if (shown % columns != 0) ImGui::SameLine(static_cast<float>(shown % columns) * column);
      ++shown;
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(stage_color(i)), "%s %.2g", stage_label(i),
                         static_cast<double>(state.history.stage_ms.back()[i]));
    }
  }
  ImGui::EndChild();
}

/// The keys and what they do; spaces within a hint do not break.
std::string hints(const Shown& shown, const PanelState& state) {
  const bool flying = state.flying;
  const bool paused = !shown.frame_source() || shown.frame_source()->paused(), live = !shown.playback;
  std::vector<std::string> keys = {"left drag: orbit", "right drag: pan", "wheel: zoom",
                                   "double click: set centre"};
  if (flying) keys = {"wasd qe: fly (shift: faster)", "left drag: look around", "double click: look at"};
  keys.push_back("c: zoom to fit");
  keys.push_back(flying ? "f: orbit" : "f: fly");
  if (live) {
    keys.push_back(flying ? "space: throw (wheel: select)" : "space: throw (ctrl+wheel: select)");
    keys.insert(keys.end(), {"hold v: pour (shift: drain)", "m: source", "n: sink"});
    keys.push_back(flying ? "middle drag: push" : "middle or ctrl+left drag: push");
    keys.push_back(flying ? "right drag: move surface" : "ctrl+right drag: move surface");
  }
  keys.insert(keys.end(), {paused ? "p: resume" : "p: pause", live ? "o: single step" : "o: next snapshot",
                           "r: restart", "F3: panels"});
  if (state.view.look == Look::water) keys.push_back("F5: shadows");
  if (live) keys.insert(keys.end(), {"F6: next discretization", "F7: next integrator"});
  keys.insert(keys.end(), {"F11: record video", "F12: screenshot", "F1: help", "esc: quit"});
  std::string line;
  for (const std::string& key : keys) {
    line += line.empty() ? "" : "   ";
    for (const char c : key) line += c == ' ' ? std::string("\u00a0") : std::string(1, c);
  }
  return line;
}

std::string short_hints(const PanelState& state) {
  return state.shown ? "F3: hide panels to show all keys" : "F1: hide (not enough room for all keys)";
}

void place_next(const Rectangle& place) {
  ImGui::SetNextWindowPos(ImVec2(static_cast<float>(place.left), static_cast<float>(place.top)),
                          ImGuiCond_Always);
  ImGui::SetNextWindowSize(ImVec2(static_cast<float>(place.width), static_cast<float>(place.height)),
                           ImGuiCond_Always);
}

/// Begins a box over the picture, which the caller ends with ImGui::End(); false if `place` is empty.
bool begin_box(const char* name, const Rectangle& place, float opacity, ImGuiWindowFlags flags) {
  if (place.empty()) return false;
  place_next(place);
  ImGui::SetNextWindowBgAlpha(opacity);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing | flags);
  return true;
}

/// Wrapped at the width that lay_out() assumes, with or without a scrollbar.
void wrapped(const std::string& words, const Rectangle& box) {
  ImGui::PushTextWrapPos(static_cast<float>(box.width) - ImGui::GetStyle().WindowPadding.x);
  text(words);
  ImGui::PopTextWrapPos();
}

constexpr float label_margin = 3;

void draw_label(const InputLabel& label) {
  ImDrawList& drawing = *ImGui::GetBackgroundDrawList();
  const Eigen::Vector2f half = size_of(label).cast<float>() / 2;
  const auto x = static_cast<float>(label.x), y = static_cast<float>(label.y);
  drawing.AddRectFilled(ImVec2(x - half.x(), y - half.y()), ImVec2(x + half.x(), y + half.y()),
                        label.pointed ? IM_COL32(200, 90, 20, 255) : IM_COL32(20, 22, 28, 170), label_margin);
  drawing.AddText(ImVec2(x - half.x() + label_margin, y - half.y()), IM_COL32(255, 255, 255, 255),
                  label.text.c_str());
}

/// "8.33 ms" or "300 s"
std::string duration(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.4g} s", seconds);
}

/// A series of the whole run, with a line at the present row.
void plot_run(const char* name, const std::vector<double>& values, std::size_t row, const std::string& now) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values)
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (!(low <= high)) return;
  const double margin = std::max(0.05 * (high - low), 1e-6 * std::abs(high));
  const auto get = [](void* all, int i) {
    return static_cast<float>((*static_cast<const std::vector<double>*>(all))[static_cast<std::size_t>(i)]);
  };
  ImGui::PlotLines(name, get, const_cast<std::vector<double>*>(&values), static_cast<int>(values.size()), 0,
                   now.c_str(), static_cast<float>(low - margin), static_cast<float>(high + margin),
                   ImVec2(0, 48));
  const float pad = ImGui::GetStyle().FramePadding.x, left = ImGui::GetItemRectMin().x + pad,
              wide = ImGui::CalcItemWidth() - 2 * pad,
              part =
                  static_cast<float>(row) / static_cast<float>(std::max<std::size_t>(1, values.size() - 1));
  ImGui::GetWindowDrawList()->AddLine({left + part * wide, ImGui::GetItemRectMin().y},
                                      {left + part * wide, ImGui::GetItemRectMax().y},
                                      IM_COL32(255, 255, 255, 120));
}

void draw_statistics(const PanelState& state, const FrameSnapshot& moment, const Playback* playback) {
  if (!ImGui::CollapsingHeader("statistics", ImGuiTreeNodeFlags_DefaultOpen)) return;
  text(fmt::format("t = {:.3f} s, step {}, Δt = {}, {} {}", moment.time, moment.steps, duration(moment.dt),
                   moment.bodies.size(), moment.bodies.size() == 1 ? "body" : "bodies"));
  text(fmt::format("{:.2f}× real time, {:.0f} fps{}", moment.pace, state.history.drawn_per_second,
                   moment.limited_accelerations == 0
                       ? ""
                       : fmt::format(", acceleration limit at {} vertices", moment.limited_accelerations)));
  const std::string mass = fmt::format("{:.8g} kg", moment.mass),
                    energy = fmt::format("{:.6g} J", moment.energy);
  if (playback) {
    plot_run("mass", playback->run().masses(), playback->run().row(), mass);
    plot_run("energy", playback->run().energies(), playback->run().row(), energy);
  } else {
    plot("mass", state.history.mass, mass);
    plot("energy", state.history.energy, energy);
  }
  plot("frame time", state.history.frame_ms,
       fmt::format("{:.3g} ms", state.history.frame_ms.empty() ? 0 : state.history.frame_ms.back()));
  if (!playback) plot_stages(state);
  if (state.picked) {
    const Picked& p = *state.picked;
    text(fmt::format("triangle {} at {:.4g}, {:.4g}, {:.4g}", p.face, p.point.x(), p.point.y(), p.point.z()));
    text(fmt::format("depth {:.5g} m, elevation {:.5g} m", p.depth, p.elevation));
    text(p.velocity ? fmt::format("velocity {:.4g}, {:.4g}, {:.4g} m/s", p.velocity->x(), p.velocity->y(),
                                  p.velocity->z())
                    : "");
  } else {
    for (const char* line : {"hover over the water to see values", "", ""}) text(line);  // same height
  }
}

}  // namespace

std::string name_of(const ShownSource& source) {
  return fmt::format("{}{}", source.is_push ? "push " : "", source.number);
}

Eigen::Vector2d size_of(const InputLabel& label) {
  const ImVec2 size = ImGui::CalcTextSize(label.text.c_str());
  return {size.x + 2 * label_margin, size.y};
}

BodyFile read_body_file(const std::string& path) {
  const Points x = read_solid(path, 1)->points();
  return {path, (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).maxCoeff()};
}

void PanelState::list_bodies() {
  const double unit = size / 10;
  bodies = {{"ball", BodyShape::ball, 3 * unit},
            {"small ball", BodyShape::ball, 1.5 * unit},
            {"box", BodyShape::box, 2.5 * unit}};
  for (const BodyFile& file : body_files)
    bodies.push_back(
        {std::filesystem::path(file.path).filename(), BodyShape::mesh, 3 * unit / file.size, file.path});
}

void PanelState::scale_to_surface() {
  const double unit = size / 10;
  list_bodies();
  source_radius = unit;
  push_sigma = size;
  push_mean = 1;
  throw_speed = 3 * std::sqrt(9.81 * unit * 3);
  discharge = unit * unit * 0.5;
  usual = {throw_speed, discharge, source_radius, push_sigma};
}

void PanelState::choose_thesis() {
  push_mean = push_sigma = 1;
  divergence = -25.7;
  by_divergence = true;
  solid_density = 500;
}

void PanelState::add(const BodyFile& file) {
  body_files.push_back(file);
  list_bodies();
  body = static_cast<int>(bodies.size()) - 1;
}

void PanelState::begin_with(const RunConfiguration& run, const Catalog& catalog) {
  if (!catalog.scenes.has(run.scene)) return;
  beginning.scene = run.scene;
  beginning.mesh = run.mesh;
  beginning.discretization = run.discretization;
  beginning.integrator = run.integrator;
  beginning.dt = run.dt ? fmt::format("{}", *run.dt) : "";
  beginning.auto_substeps = !run.substeps;
  beginning.parameters.clear();
  for (const auto& [name, value] : run.parameters) beginning.parameters[name] = to_string(value);
}

void PanelState::inform(const std::string& text) {
  constexpr double seconds = 6;
  message = text;
  message_time = seconds;
}

void PanelState::warn(const std::string& text) {
  message = text;
  message_time = std::numeric_limits<double>::infinity();
}

void PanelState::pass(double seconds) {
  message_time -= seconds;
  if (message_time <= 0) warn("");
}

void PanelState::choose_field(const std::string& name) {
  if (view.field == name) return;
  colors_of[view.field] = {view.color_map, view.logarithmic, view.range};
  const Colors& colors = colors_of[name];
  view.field = name;
  view.color_map = colors.map;
  view.logarithmic = colors.logarithmic;
  view.range = colors.range;
}

void PanelState::forget() {
  history.forget();
  clip_weights.clear();
  frozen = false;
}

void History::forget() {
  mass.clear();
  energy.clear();
  stage_ms.clear();
  last_time_ = -1;
}

void History::note(const FrameSnapshot& moment, double elapsed) {
  picture_seconds_ = picture_seconds_ > 0 ? picture_seconds_ + 0.05 * (elapsed - picture_seconds_) : elapsed;
  if (picture_seconds_ > 0) drawn_per_second = 1 / picture_seconds_;
  push(frame_ms, 1e3 * elapsed);
  if (moment.time == last_time_) return;
  last_time_ = moment.time;
  push(mass, moment.mass);
  push(energy, moment.energy);
  std::array<float, stage_count + 1> step{};
  double rest = moment.step_seconds;
  for (std::size_t i = 0; i < stage_count; ++i) {
    step[i] = static_cast<float>(1e3 * moment.stages[i]);
    rest -= moment.stages[i];
  }
  step.back() = static_cast<float>(1e3 * std::max(0.0, rest));
  stage_ms.push_back(step);
  if (stage_ms.size() > kept) stage_ms.erase(stage_ms.begin());
}

WindowLayout lay_out(PanelState& state, const Shown& shown) {
  const std::string stop = shown.session ? shown.session->stop() : "";
  if (!stop.empty() && state.message.empty()) state.warn("The run " + stop + ". Press R to restart.");
  const ImVec2 whole = ImGui::GetIO().DisplaySize;
  return lay_out({.width = whole.x,
                  .height = whole.y,
                  .panel = state.shown,
                  .message = state.message,
                  .hints = state.hints ? hints(shown, state) : "",
                  .short_hints = short_hints(state),
                  .padding = ImGui::GetStyle().WindowPadding.x,
                  .button = ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y,
                  .height_of = [](const std::string& words, double width) -> double {
                    return ImGui::CalcTextSize(words.c_str(), nullptr, false, static_cast<float>(width)).y;
                  }});
}

void draw_panels(PanelState& state, const Shown& shown, const FrameSnapshot* moment, const Catalog& catalog,
                 const WindowLayout& layout) {
  FrameSource* const frame_source = shown.frame_source();
  const bool paused = !frame_source || frame_source->paused();
  for (const InputLabel& label : state.labels) draw_label(label);
  if (begin_box("hints", layout.hints, 0.6F, ImGuiWindowFlags_NoInputs)) {
    wrapped(layout.short_hints ? short_hints(state) : hints(shown, state), layout.hints);
    ImGui::End();
  }
  if (begin_box("message", layout.message, 0.7F, ImGuiWindowFlags_None)) {
    wrapped(state.message, layout.message);
    if (ImGui::SmallButton("ok")) state.message.clear();
    ImGui::End();
  }
  if (!state.shown) {
    state.pointed.clear();
    return;
  }
  place_next(layout.panel);
  ImGui::SetNextWindowBgAlpha(1);  // nothing is drawn behind the panel
  std::string title = "Shoal";
  if (moment) {
    const RunConfiguration& c = moment->configuration;
    title = fmt::format("{} on {}###Shoal", c.scene, std::filesystem::path(c.mesh).filename().string());
  }
  if (ImGui::Begin(title.c_str(), nullptr,
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoBringToFrontOnFocus)) {
    constexpr double widget = 180, share = 0.49;  // of the panel's width; the other half is for the label
    ImGui::PushItemWidth(static_cast<float>(std::min(widget, share * layout.panel.width)));
    if (frame_source) {
      // Buttons with other words keep their size.
      const auto button = [](const char* words, const char* longest) {
        const float width = ImGui::CalcTextSize(longest).x + 2 * ImGui::GetStyle().FramePadding.x;
        return ImGui::Button(words, ImVec2(width, 0));
      };
      if (button(paused ? "resume (p)" : "pause (p)", "resume (p)")) frame_source->pause(!paused);
      ImGui::SameLine();
      if (ImGui::Button("single step (o)")) {
        frame_source->pause(true);
        frame_source->step_once();
      }
      const char* const stop = "stop recording (F11)";
      continue_line(stop);
      if (button(state.recording_video ? stop : "record video (F11)", stop)) state.wants.video = true;
      if (ImGui::Button("screenshot (F12)")) state.wants.picture = true;
      continue_line("transparent", ImGui::GetFrameHeight());
      ImGui::Checkbox("transparent", &state.transparent);
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("screenshots without sky, ground or background");
      if (shown.session) {
        continue_line("save as experiment…");
        if (ImGui::Button("save as experiment…")) state.wants.session = true;
      }
    }
    if (moment) draw_runs(state);
    if (moment && shown.playback) draw_playback(*shown.playback, *moment);
    if (moment && shown.session) draw_inputs(state, *shown.session, *moment);
    if (moment) draw_quantities(state, *moment);
    if (moment) draw_statistics(state, *moment, shown.playback);
    if (moment && shown.session) {
      draw_scheme(state, *shown.session, moment->configuration, catalog);
      draw_clips(state, *shown.session, *moment);
      draw_tools(state);
    }
    if (moment) {
      draw_look(state, *moment);
      draw_overlays(state, *moment);
    }
    if (moment && shown.session) draw_parameters(state.entry, *shown.session, moment->configuration, catalog);
    draw_beginning(state, catalog, !moment);
    ImGui::PopItemWidth();
  }
  ImGui::End();
}

}  // namespace shoal
