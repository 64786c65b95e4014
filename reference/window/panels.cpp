#include "reference/window/panels.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

void push(std::vector<float>& values, double value) {
  values.push_back(static_cast<float>(value));
  if (values.size() > PanelState::kept) values.erase(values.begin());
}

void plot(const char* name, const std::vector<float>& values, const std::string& now) {
  if (values.empty()) return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const float margin = std::max(0.05F * (*high - *low), 1e-6F * std::abs(*high));
  ImGui::PlotLines(name, values.data(), static_cast<int>(values.size()), 0, now.c_str(), *low - margin,
                   *high + margin, ImVec2(0, 48));
}

void text(const std::string& line) {
  ImGui::TextUnformatted(line.c_str());
}

bool slider(const char* name, double& value, double low, double high, const char* format) {
  return ImGui::SliderScalar(name, ImGuiDataType_Double, &value, &low, &high, format,
                             ImGuiSliderFlags_Logarithmic);
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

void draw_scheme(Session& session, const RunConfiguration& c, const Catalog& catalog) {
  if (!ImGui::CollapsingHeader("scheme", ImGuiTreeNodeFlags_DefaultOpen)) return;
  if (const auto name = choose("discretization", c.discretization, catalog.discretizations))
    change(session, "discretization", *name);
  if (const auto name = choose("integrator", c.integrator, catalog.integrators))
    change(session, "integrator", *name);
  if (!c.linear_solver.empty())
    if (const auto name = choose("linear solver", c.linear_solver, catalog.linear_solvers))
      change(session, "linear_solver", *name);
  if (c.advection != "built-in")
    if (const auto name = choose("advection", c.advection, catalog.advections))
      change(session, "advection", *name);
  int substeps = c.substeps.value_or(1);
  if (catalog.integrators.find(c.integrator).default_substeps > 0 &&
      ImGui::InputInt("substeps", &substeps, 1, 5, ImGuiInputTextFlags_EnterReturnsTrue))
    change(session, "substeps", std::to_string(std::max(1, substeps)));
}

/// Parameters that can change while the run goes on: those of schemes, not of the scene or its motion.
void draw_parameters(Session& session, const RunConfiguration& c, const Catalog& catalog) {
  if (!ImGui::CollapsingHeader("parameters")) return;
  const Parameters values = parameters_of(catalog, c);
  const ParameterInfos fixed = catalog.scenes.find(c.scene).parameters,
                       moving = catalog.motions.find(c.motion).parameters;
  for (const ParameterInfo& info : declared_parameters(catalog, c)) {
    const auto same = [&](const ParameterInfo& other) { return other.name == info.name; };
    if (std::any_of(fixed.begin(), fixed.end(), same) || std::any_of(moving.begin(), moving.end(), same))
      continue;
    const Value* value = values.value(info.name);
    if (!value) continue;
    if (!info.choices.empty()) {
      std::string now = std::get<std::string>(*value);
      if (!ImGui::BeginCombo(info.name.c_str(), now.c_str())) continue;
      for (const std::string& word : info.choices)
        if (ImGui::Selectable(word.c_str(), word == now) && word != now) change(session, info.name, word);
      ImGui::EndCombo();
    } else if (const double* number = std::get_if<double>(value)) {
      double edited = *number;
      if (ImGui::InputDouble(info.name.c_str(), &edited, 0, 0, "%.6g", ImGuiInputTextFlags_EnterReturnsTrue))
        change(session, info.name, fmt::format("{}", edited));
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s [%s]", info.meaning.c_str(), info.unit.c_str());
  }
}

void draw_tools(PanelState& state) {
  if (!ImGui::CollapsingHeader("throw, pour, push", ImGuiTreeNodeFlags_DefaultOpen)) return;
  const std::string& now = state.bodies[static_cast<std::size_t>(state.body)].name;
  if (ImGui::BeginCombo("body (wheel)", now.c_str())) {
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      if (ImGui::Selectable(state.bodies[i].name.c_str(), static_cast<int>(i) == state.body))
        state.body = static_cast<int>(i);
    ImGui::EndCombo();
  }
  slider("solid density, kg/m3", state.solid_density, 50, 10000, "%.0f");
  slider("throw speed, m/s", state.throw_speed, 0.1, 100, "%.1f");
  slider("source, m3/s", state.discharge, 1e-4, 100, "%.4g");
  slider("source radius, m", state.source_radius, 1e-3, 10, "%.3g");
  slider("push mean, m/s2", state.push_mean, 0.01, 1000, "%.3g");
  slider("push sigma, m", state.push_sigma, 1e-3, 100, "%.3g");
}

void draw_look(PanelState& state, const Moment& moment) {
  if (!ImGui::CollapsingHeader("look", ImGuiTreeNodeFlags_DefaultOpen)) return;
  int look = state.view.look == Look::science ? 1 : 0;
  bool changed = ImGui::RadioButton("water", &look, 0);
  ImGui::SameLine();
  changed |= ImGui::RadioButton("science", &look, 1);
  state.view.look = look == 1 ? Look::science : Look::water;
  if (look == 1) {
    if (ImGui::BeginCombo("field", state.view.field.c_str())) {
      for (const std::string& name : moment.fields)
        if (ImGui::Selectable(name.c_str(), name == state.view.field)) {
          state.view.field = name;
          state.view.range.reset();
          changed = true;
        }
      ImGui::EndCombo();
    }
    bool given = state.view.range.has_value();
    if (ImGui::Checkbox("fixed range", &given)) {
      state.view.range = given ? std::optional(moment.range) : std::nullopt;
      changed = true;
    }
    if (state.view.range) {
      double ends[] = {state.view.range->first, state.view.range->second};
      if (ImGui::InputScalarN("range", ImGuiDataType_Double, ends, 2, nullptr, nullptr, "%.4g",
                              ImGuiInputTextFlags_EnterReturnsTrue) &&
          ends[0] < ends[1]) {
        state.view.range = {ends[0], ends[1]};
        changed = true;
      }
    }
    text(fmt::format("{}: {:.4g} to {:.4g}", moment.field, moment.range.first, moment.range.second));
    changed |= ImGui::Checkbox("connectivity", &state.view.lines);
    ImGui::SameLine();
    changed |= ImGui::Checkbox("face velocity", &state.view.vectors);
  } else {
    ImGui::Checkbox("slow and beautiful", &state.beautiful);
    ImGui::SameLine();
    ImGui::Checkbox("shadows (F5)", &state.shadows);
    state.view.vectors = state.view.lines = false;
  }
  changed |= slider("exaggerate", state.view.exaggeration, 0.1, 100, "%.2g");
  changed |= slider("iso-level, m", state.view.surface.iso_level, 1e-4, 1, "%.4g");
  if (changed) state.view_changed = true;
}

void draw_numbers(const PanelState& state, const Moment& moment) {
  if (!ImGui::CollapsingHeader("numbers", ImGuiTreeNodeFlags_DefaultOpen)) return;
  text(fmt::format("t = {:.3f} s, {} steps of {:.4g} s, {} bodies", moment.time, moment.steps, moment.dt,
                   moment.bodies));
  text(fmt::format("{:.2f} s simulated in a second, {:.0f} pictures", moment.pace, state.drawn_per_second));
  plot("mass", state.mass, fmt::format("{:.8g} kg", moment.mass));
  plot("energy", state.energy, fmt::format("{:.6g} J", moment.energy));
  plot("step", state.step_ms, fmt::format("{:.3g} ms", 1e3 * moment.step_seconds));
  std::string stages;
  for (std::size_t i = 0; i < moment.stages.size(); ++i)
    if (moment.stages[i] > 1e-6)
      stages +=
          fmt::format("{}{} {:.3g}", stages.empty() ? "" : ", ", stage_names[i], 1e3 * moment.stages[i]);
  ImGui::PushTextWrapPos(0);
  text("ms: " + stages);
  ImGui::PopTextWrapPos();
  if (state.picked) {
    const Picked& p = *state.picked;
    text(fmt::format("triangle {} at {:.4g}, {:.4g}, {:.4g}", p.face, p.point.x(), p.point.y(), p.point.z()));
    text(fmt::format("depth {:.5g} m, elevation {:.5g} m", p.depth, p.elevation));
    if (p.velocity)
      text(fmt::format("velocity {:.4g}, {:.4g}, {:.4g} m/s", p.velocity->x(), p.velocity->y(),
                       p.velocity->z()));
  } else {
    text("the cursor is not on the water");
  }
}

}  // namespace

void PanelState::sensible_sizes() {
  const double unit = size / 10;
  bodies = {{"ball", BodyShape::ball, 3 * unit},
            {"small ball", BodyShape::ball, 1.5 * unit},
            {"box", BodyShape::box, 2.5 * unit}};
  source_radius = unit;
  push_sigma = 2 * unit;
  push_mean = 10;
  throw_speed = 3 * std::sqrt(9.81 * unit * 3);
  discharge = unit * unit * 0.5;
}

void PanelState::note(const Moment& moment, double elapsed) {
  if (elapsed > 0) drawn_per_second += 0.05 * (1 / elapsed - drawn_per_second);
  push(frame_ms, 1e3 * elapsed);
  if (moment.time == last_time_) return;
  last_time_ = moment.time;
  push(mass, moment.mass);
  push(energy, moment.energy);
  push(step_ms, 1e3 * moment.step_seconds);
}

void draw_panels(PanelState& state, Session& session, const Moment& moment, const Catalog& catalog) {
  const ImVec2 whole = ImGui::GetIO().DisplaySize;
  if (state.hints) {
    ImGui::SetNextWindowPos(ImVec2(8, whole.y - 8), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowBgAlpha(0.6F);
    if (ImGui::Begin("hints", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing)) {
      text(
          "wasd, q e: fly   left mouse: look   space: throw (wheel: what)   m: source, n: sink   middle "
          "mouse: push   "
          "right mouse: drag");
      text(
          fmt::format("p: {}   o: one step   c: frame all   F3: panels   F5: shadows   F6, F7: next "
                      "discretization, integrator   F12: picture   "
                      "F1: these hints   "
                      "esc: quit",
                      session.paused() ? "go on" : "pause"));
    }
    ImGui::End();
  }
  if (!state.message.empty() || session.broken()) {
    ImGui::SetNextWindowPos(ImVec2(8, 8), ImGuiCond_Always);
    ImGui::SetNextWindowSize(ImVec2(std::max(200.0F, whole.x - (state.shown ? 400.0F : 16.0F)), 0));
    ImGui::SetNextWindowBgAlpha(0.7F);
    if (ImGui::Begin("message", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
      ImGui::PushTextWrapPos(0);
      text(state.message);
      ImGui::PopTextWrapPos();
      if (ImGui::SmallButton("ok")) state.message.clear();
    }
    ImGui::End();
  }
  if (!state.shown) return;
  ImGui::SetNextWindowPos(ImVec2(whole.x - 8, 8), ImGuiCond_FirstUseEver, ImVec2(1, 0));
  ImGui::SetNextWindowSize(ImVec2(370, whole.y - 80), ImGuiCond_FirstUseEver);
  if (ImGui::Begin("Shoal")) {
    ImGui::PushItemWidth(180);
    if (ImGui::Button(session.paused() ? "go on (p)" : "pause (p)")) session.pause(!session.paused());
    ImGui::SameLine();
    if (ImGui::Button("step (o)")) {
      session.pause(true);
      session.step_once();
    }
    ImGui::SameLine();
    if (ImGui::Button("picture (F12)")) state.wants_picture = true;
    ImGui::SameLine();
    if (ImGui::Button("save session")) state.wants_session = true;
    draw_numbers(state, moment);
    draw_scheme(session, moment.configuration, catalog);
    draw_tools(state);
    draw_look(state, moment);
    draw_parameters(session, moment.configuration, catalog);
    ImGui::PopItemWidth();
  }
  ImGui::End();
}

}  // namespace shoal
