#include "experiments/scenes/list.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) SceneEntry function();
#include "experiments/scenes/list.def"
#undef SHOAL_ENTRY

List<SceneEntry> builtin_scenes() {
  List<SceneEntry> list("scene");
#define SHOAL_ENTRY(function) list.add(function());
#include "experiments/scenes/list.def"
#undef SHOAL_ENTRY
  return list;
}

}  // namespace shoal
