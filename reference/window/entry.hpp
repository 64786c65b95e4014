// Fields whose value counts once it has been typed.
#pragma once

#include <imgui.h>

#include <any>

namespace shoal {

/// What is typed at present, into at most one field.
struct Entry {
  unsigned field = 0;  ///< 0: none
  std::any value;
  int idle = 0;  ///< frames without the focus
};

/// Draws a field by widget(value), which returns whether it changed the value. Returns true once, with the new value, when it has been typed
/// and Return is pressed or the focus leaves the field, or the group of fields of one value; after Esc nothing is new.
template <class T, class Widget>
bool enter(Entry& entry, const char* label, T& value, const Widget& widget) {
  constexpr int between = 2;  // frames without a focus while Tab moves it within a group
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false); };
  const ImGuiID field = ImGui::GetID(label);
  if (entry.field == field) value = std::any_cast<const T&>(entry.value);
  if (widget(value)) entry = {field, value, 0};
  if (entry.field != field) return false;
  if (ImGui::IsItemActive()) {
    entry.idle = 0;
    return false;
  }
  const bool dropped = pressed(ImGuiKey_Escape),
             done = pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter) || ImGui::IsAnyItemActive();
  if (!dropped && !done && ++entry.idle <= between) return false;
  entry.field = 0;
  return !dropped;
}

}  // namespace shoal
