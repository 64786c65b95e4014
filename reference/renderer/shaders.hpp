// The sources of the shaders, GLSL 3.30.
#pragma once

#include <string>

namespace shoal::shader {

// Vertex shaders.
std::string mesh_vertex();        ///< a mesh transformed by `model`, projected by `matrix`
std::string fullscreen_vertex();  ///< one triangle over the whole picture
std::string photon_vertex();      ///< for each texel of the light's view, the point where its light arrives
std::string line_vertex();        ///< lines, slightly nearer than the surface on which they lie
std::string foam_vertex();  ///< squares that face the camera, and parts of a surface, slightly nearer than it
std::string fast_background_vertex();  ///< 32 × 24 cells, two triangles each
std::string fast_water_vertex();
std::string tile_vertex();  ///< every other tile of reach × reach tiles of the ground

// Fragment shaders.
std::string depth_fragment();       ///< depth only
std::string boundary_fragment();    ///< the water's normal and its distance from the eye or along the light
std::string thickness_fragment();   ///< ± the distance, summed by blending
std::string photon_fragment();      ///< light of a photon, summed by blending
std::string blur_fragment();        ///< along one direction
std::string background_fragment();  ///< sky and ground, or a plain colour
std::string solid_fragment();
std::string skin_fragment();
std::string field_fragment();
std::string water_fragment();
std::string line_fragment();
std::string foam_fragment();
std::string resolve_fragment();
/// The colour of linear light on the screen, as in resolve_fragment().
double screen_color(double light);  ///< averages samples per pixel, applies tone mapping and gamma
// For the fast quality, in screen colours:
std::string fast_background_fragment();
std::string tile_fragment();
std::string fast_solid_fragment();
std::string fast_water_fragment();
std::string shadow_fragment();

}  // namespace shoal::shader
