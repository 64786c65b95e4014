// The texts of the shaders, GLSL 3.30.
#pragma once

#include <string>

namespace shoal::shader {

// Vertex shaders.
std::string mesh_vertex();             ///< a mesh under `model`, seen by `matrix`
std::string fullscreen_vertex();       ///< one triangle over the whole picture
std::string photon_vertex();           ///< a point per texel of the light's view, where its light arrives
std::string line_vertex();             ///< a little nearer than the surface on which lines lie
std::string fast_background_vertex();  ///< of 32 × 24 cells, two triangles each
std::string fast_water_vertex();
std::string tile_vertex();  ///< of every other tile of the ground, reach × reach of them

// Fragment shaders.
std::string depth_fragment();       ///< nothing but depth
std::string boundary_fragment();    ///< of the water: normal, and distance from the eye or along the light
std::string thickness_fragment();   ///< ± the distance, to be added up
std::string photon_fragment();      ///< light of a photon, to be added up
std::string blur_fragment();        ///< along one direction
std::string background_fragment();  ///< sky and ground, or an even colour
std::string solid_fragment();
std::string skin_fragment();
std::string field_fragment();
std::string water_fragment();
std::string line_fragment();
std::string resolve_fragment();  ///< means over pixels, tones, gamma
// Of the fast quality, in colours of the screen:
std::string fast_background_fragment();
std::string tile_fragment();
std::string fast_solid_fragment();
std::string fast_water_fragment();
std::string shadow_fragment();

}  // namespace shoal::shader
