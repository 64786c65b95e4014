// Shaders. Light is linear and unbounded until `resolve`; with a plain backdrop, all colours are screen colours.
//
// Water: reflection by Schlick's approximation of Fresnel's equations, refraction at the first and at the last interface
// (Wyman 2005, An approximate image-space approach for interactive refraction, doi:10.1145/1073204.1073310), absorption by
// Beer and Lambert. Where water shades the ground, photons are traced from the light in the same way and counted where they
// arrive, which gives the shadow with its caustics (Shah, Konttinen and Pattanaik 2007, doi:10.1109/TVCG.2007.32).
#include "reference/renderer/shaders.hpp"

#include <algorithm>
#include <cmath>

namespace shoal::shader {
namespace {

const std::string version = "#version 330 core\n";

// Refractive index 1.333; reflectance at normal incidence ((n − 1)/(n + 1))².
const std::string optics = R"(
const float index = 1.333;
uniform float clarity;  // m
float reflectance(float cosine) {
  const float at_normal = 0.0204;
  return at_normal + (1.0 - at_normal) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}
// Red is absorbed most: the ratios are near those of clear water, with more blue so that a small body shows it.
// Converts the straight path length through the water to the refracted one. In a ball, a less oblique path is longer; in a layer,
// shorter. k, from the normals at both ends of the straight path, is 1 for a ball and 0 for a layer.
float refracted_path(float thickness, vec3 along, vec3 inside, vec3 normal, vec3 normal_at_end) {
  float cosine = max(-dot(along, normal), 0.05), refracted = max(-dot(inside, normal), 0.05);
  float k = clamp((1.0 + dot(normal, normal_at_end)) / max(2.0 - 2.0 * cosine * cosine, 1e-3), 0.0, 1.0);
  return thickness * clamp(mix(cosine / refracted, refracted / cosine, k), 0.3, 4.0);
}
vec3 transmittance(float thickness) { return exp(-max(thickness, 0.0) / clarity * vec3(1.0, 0.36, 0.14)); }
)";

// The surroundings: sky, and ground with the light that arrives there.
const std::string environment = R"(
uniform vec3 eye, up, to_light, center;
uniform float ground, size;
uniform bool has_ground, has_solids, has_water;
uniform mat4 light_matrix;
uniform sampler2D solid_depth, light_front, sunlight;

const vec3 sun = vec3(2.3, 2.15, 1.9), ambient = vec3(0.50, 0.56, 0.66);
const vec3 horizon = vec3(0.52, 0.70, 0.92), zenith = vec3(0.07, 0.22, 0.60);

float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
}
float clouds(vec2 p) {
  float sum = 0.0, part = 0.5;
  for (int i = 0; i < 4; ++i, p = 2.03 * p + 17.0, part *= 0.5) sum += part * noise(p);
  return smoothstep(0.42, 0.72, sum);
}
void ground_axes(out vec3 first, out vec3 second) {
  first = normalize(cross(up, abs(up.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0)));
  second = cross(up, first);
}
// A bright panel behind the camera, on its left; its reflection shows that a surface is smooth.
float panel(vec3 direction) {
  vec3 back = normalize(eye - center), left = normalize(cross(back, up)), middle = normalize(0.7 * back + 0.75 * left + 0.45 * up);
  vec3 across = normalize(cross(up, middle));
  vec3 place = vec3(dot(direction, across), dot(direction, cross(middle, across)), dot(direction, middle));
  if (place.z <= 0.0) return 0.0;
  vec2 from_middle = abs(place.xy / place.z);
  return smoothstep(0.22, 0.02, from_middle.x) * smoothstep(0.75, 0.25, from_middle.y);
}
vec3 sky(vec3 direction) {
  float height = dot(direction, up);
  vec3 light = mix(horizon, zenith, 1.0 - exp(-2.2 * max(height, 0.0)));
  vec3 first, second;
  ground_axes(first, second);
  if (height > 0.02) {
    vec2 place = vec2(dot(direction, first), dot(direction, second)) / (height + 0.2);
    light = mix(light, vec3(1.08), 0.75 * clouds(1.6 * place) * smoothstep(0.02, 0.3, height));
  }
  float near = max(dot(direction, to_light), 0.0);
  light += sun * (60.0 * smoothstep(0.9985, 0.9993, near) + 1.2 * pow(near, 350.0) + 0.25 * pow(near, 24.0));
  light += 8.0 * panel(direction);
  if (height < 0.0) light = mix(light, 0.55 * horizon, smoothstep(0.0, -0.6, height));
  return light;
}
// The fraction of the sun's light, by colour, that arrives at a point.
vec3 sunlight_at(vec3 point) {
  vec3 place = (light_matrix * vec4(point, 1.0)).xyz * 0.5 + 0.5;
  vec3 light = vec3(1.0);
  if (has_water) {
    float front = texture(light_front, place.xy).a;
    if (front > 1.0 || place.z > front) light = texture(sunlight, place.xy).rgb;
  }
  if (has_solids) {
    float lit = 0.0;
    for (int i = -3; i <= 3; ++i)
      for (int j = -3; j <= 3; ++j)
        lit += place.z - 0.002 <= texture(solid_depth, place.xy + 0.0035 * vec2(i, j)).r ? 1.0 : 0.0;
    light *= lit / 49.0;
  }
  return light;
}
float joint(float coordinate, float width) {
  float within = abs(fract(coordinate) - 0.5);
  return smoothstep(0.5 - 0.012 - width, 0.5 - 0.012 + width, within);
}
vec3 tiled(vec3 color, vec3 point, vec3 normal, float seen_from) {
  vec3 first, second;
  ground_axes(first, second);
  vec3 along = abs(dot(normal, up)) > 0.7 ? first : normalize(cross(up, normal));
  vec3 across = cross(normal, along);
  vec2 place = vec2(dot(point - center, along), dot(point - center, across)) / (0.28 * size);
  float width = clamp(0.003 * seen_from / size, 0.004, 0.3);
  float lines = max(joint(place.x, width), joint(place.y, width)) * (0.012 / (0.012 + 0.3 * width)) * 1.3;
  vec2 tile = floor(place + 0.5);
  return color * (1.0 - 0.45 * clamp(lines, 0.0, 1.0)) * (0.96 + 0.08 * hash(tile));
}
vec3 ground_light(vec3 point, float seen_from) {
  vec3 color = tiled(vec3(0.46, 0.41, 0.35), point, up, seen_from);
  vec3 light = color * (ambient + sun * 0.5 * max(dot(up, to_light), 0.0) * sunlight_at(point));
  float away = length(point - center) / (7.0 * size);
  return mix(horizon, light, exp(-away * away));
}
vec3 surroundings(vec3 from, vec3 direction, float seen_from) {
  float down = -dot(direction, up);
  if (has_ground && down > 1e-4) {
    float path = max((dot(from, up) - ground) / down, 0.0);
    return ground_light(from + path * direction, seen_from + path);
  }
  return sky(direction);
}
)";

// A sky without clouds and a ground without tiles, which are drawn separately: cheap to evaluate.
const std::string fast_environment = R"(
uniform vec3 eye, up, to_light, center;
uniform float ground, size;
uniform bool has_ground;
const vec3 fast_horizon = vec3(0.74, 0.84, 0.93), fast_zenith = vec3(0.33, 0.53, 0.80);
float ground_haze(vec3 from_center) {
  return clamp(dot(from_center, from_center) / (50.0 * size * size), 0.0, 1.0);
}
vec3 fast_surroundings(vec3 from, vec3 direction) {
  float height = dot(direction, up);
  if (!has_ground || height > -1e-4) return mix(fast_horizon, fast_zenith, clamp(1.6 * height, 0.0, 1.0));
  vec3 point = from + direction * max(dot(from, up) - ground, 0.0) / -height - center;
  return mix(vec3(0.66, 0.62, 0.57), fast_horizon, ground_haze(point));
}
)";

const std::string mesh_inputs = R"(
in vec3 at, normal;
in float value;
in vec3 corner;
)";

// Coverage by the line along the nearest edge of the triangle.
const std::string edge_line = R"(
float edge_line(float pixels) {
  vec3 distance_to_edge = corner / max(fwidth(corner), vec3(1e-9));
  return 1.0 - smoothstep(pixels - 0.7, pixels + 0.7, min(min(distance_to_edge.x, distance_to_edge.y), distance_to_edge.z));
}
)";

}  // namespace

std::string mesh_vertex() {
  return version + R"(
layout(location = 0) in vec3 position_in;
layout(location = 1) in vec3 normal_in;
layout(location = 2) in float value_in;
layout(location = 3) in float land_in;
uniform mat4 matrix, model;
out vec3 at, normal, corner;
out float value, land;
void main() {
  at = (model * vec4(position_in, 1.0)).xyz;
  normal = mat3(model) * normal_in;
  value = value_in;
  land = land_in;
  corner = vec3(gl_VertexID % 3 == 0, gl_VertexID % 3 == 1, gl_VertexID % 3 == 2);
  gl_Position = matrix * vec4(at, 1.0);
}
)";
}

std::string line_vertex() {
  return version + R"(
layout(location = 0) in vec3 position_in;
uniform mat4 matrix;
uniform float nearer;
void main() {
  gl_Position = matrix * vec4(position_in, 1.0);
  gl_Position.z -= nearer * gl_Position.w;
}
)";
}

std::string fullscreen_vertex() {
  return version + R"(
out vec2 place;
void main() {
  place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
  gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
}
)";
}

std::string photon_vertex() {
  return version + optics + R"(
uniform sampler2D light_front, light_back;
uniform mat4 light_matrix, from_light;
uniform vec3 to_light, up;
uniform float ground, light_range;
uniform bool on_bed;
uniform int rows;
flat out vec3 light;
vec3 world(vec2 place, float depth) { return (from_light * vec4(2.0 * vec3(place, depth) - 1.0, 1.0)).xyz; }
vec2 light_place(vec3 point) { return (light_matrix * vec4(point, 1.0)).xy * 0.5 + 0.5; }
void main() {
  vec2 place = (vec2(gl_VertexID % rows, gl_VertexID / rows) + 0.5) / float(rows);
  vec4 front = texture(light_front, place), back = texture(light_back, place);
  gl_PointSize = 2.0;
  light = vec3(0.25);
  gl_Position = vec4(2.0 * place - 1.0, 0.0, 1.0);
  if (front.a > 1.0 || back.a < front.a) return;
  vec3 along = -to_light, normal = normalize(front.xyz);
  float thickness = (back.a - front.a) * light_range;
  vec3 inside = refract(along, normal, 1.0 / index);
  vec3 entry = world(place, front.a);
  light *= (1.0 - reflectance(dot(to_light, normal))) * transmittance(thickness);
  vec3 arrives;
  if (on_bed) {
    vec3 down = normalize(back.xyz);
    arrives = entry + inside * thickness * max(dot(along, down), 0.0) / max(dot(inside, down), 0.1);
  } else {
    vec3 exit = entry + inside * refracted_path(thickness, along, inside, normal, normalize(back.xyz));
    vec4 there = texture(light_back, light_place(exit));
    vec3 out_of = normalize(there.a > 0.0 ? there.xyz : back.xyz);
    vec3 outside = refract(inside, -out_of, index);
    float down = -dot(outside, up);
    if (down < 0.05) {  // reflected inside, or sent upwards
      gl_Position = vec4(9.0, 9.0, 9.0, 1.0);
      return;
    }
    light *= 1.0 - reflectance(dot(outside, out_of));
    arrives = exit + outside * max((dot(exit, up) - ground) / down, 0.0);
  }
  gl_Position = vec4(2.0 * light_place(arrives) - 1.0, 0.0, 1.0);
}
)";
}

std::string depth_fragment() {
  return version + "void main() {}\n";
}

std::string boundary_fragment() {
  return version + mesh_inputs + R"(
uniform vec3 eye;
uniform bool of_light;
out vec4 boundary;
void main() { boundary = vec4(normalize(normal), of_light ? gl_FragCoord.z : distance(at, eye)); }
)";
}

std::string thickness_fragment() {
  return version + mesh_inputs + R"(
uniform vec3 eye;
uniform vec2 size_in_pixels;
uniform sampler2D opaque;
out vec4 thickness;
void main() {
  float until = min(distance(at, eye), abs(texture(opaque, gl_FragCoord.xy / size_in_pixels).a));
  thickness = vec4(gl_FrontFacing ? -until : until);
}
)";
}

std::string photon_fragment() {
  return version + R"(
flat in vec3 light;
out vec4 color;
void main() {
  vec2 near = max(1.0 - abs(2.0 * gl_PointCoord - 1.0), vec2(0.0));  // distributed among four texels
  color = vec4(light * near.x * near.y, 1.0);
}
)";
}

std::string blur_fragment() {
  return version + R"(
in vec2 place;
uniform sampler2D image;
uniform vec2 texel;
out vec4 color;
void main() {
  color = vec4(0.0);
  float sum = 0.0;
  for (int i = -3; i <= 3; ++i) {
    float weight = exp(-0.5 * float(i * i) / 2.2);
    vec2 there = place + texel * float(i);
    vec4 light = any(lessThan(there, vec2(0.0))) || any(greaterThan(there, vec2(1.0))) ? vec4(1.0) : texture(image, there);
    color += weight * min(light, vec4(12.0));
    sum += weight;
  }
  color /= sum;
}
)";
}

std::string background_fragment() {
  return version + environment + R"(
in vec2 place;
uniform mat4 from_clip, matrix;
uniform bool plain;
uniform vec3 even;
out vec4 color;
void main() {
  gl_FragDepth = 1.0;
  color = vec4(even, 1e9);
  if (plain) return;
  vec4 far = from_clip * vec4(2.0 * place - 1.0, 1.0, 1.0);
  vec3 direction = normalize(far.xyz / far.w - eye);
  color.rgb = surroundings(eye, direction, 0.0);
  float down = -dot(direction, up);
  if (!has_ground || down < 1e-4) return;
  color.a = (dot(eye, up) - ground) / down;
  vec4 clip = matrix * vec4(eye + color.a * direction, 1.0);
  gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
}
)";
}

std::string solid_fragment() {
  return version + environment + mesh_inputs + R"(
uniform vec3 albedo;
uniform bool tiles, unlit, plain;
out vec4 color;
void main() {
  vec3 facing = normalize(gl_FrontFacing ? normal : -normal), view = normalize(eye - at);
  float seen_from = distance(eye, at);
  color.a = -seen_from;
  if (unlit) {
    color.rgb = albedo;
  } else if (plain) {
    color.rgb = albedo * (0.6 + 0.4 * max(dot(facing, view), 0.0));
  } else {
    vec3 own = tiles ? tiled(albedo, at, facing, seen_from) : albedo;
    vec3 sky_part = mix(0.55 * ambient, ambient, 0.5 + 0.5 * dot(facing, up));
    color.rgb = own * (sky_part + sun * 0.5 * max(dot(facing, to_light), 0.0) * sunlight_at(at));
    if (!tiles) {
      float mirrored = 0.04 + 0.5 * pow(1.0 - max(dot(facing, view), 0.0), 5.0);
      color.rgb += mirrored * surroundings(at, reflect(-view, facing), seen_from);
    }
  }
}
)";
}

std::string skin_fragment() {
  return version + mesh_inputs + edge_line + R"(
uniform vec3 eye, to_light;
uniform bool lines, plain;
uniform float line_width;
out vec4 color;
void main() {
  vec3 facing = normalize(normal), view = normalize(eye - at);
  if (dot(facing, view) < 0.0) facing = -facing;
  float rim = pow(1.0 - max(dot(facing, view), 0.0), 2.5);
  float glint = pow(max(dot(normalize(view + to_light), facing), 0.0), 90.0);
  float opacity = 0.08 + 0.55 * rim + 0.7 * glint;
  vec3 light = plain ? vec3(0.75) : vec3(0.86, 0.92, 1.0) * (0.75 + 0.6 * rim + 1.5 * glint);
  if (lines) {
    float line = 0.4 * edge_line(line_width);
    light = mix(light, vec3(0.16, 0.22, 0.30), line / max(line + opacity, 1e-4));
    opacity += line * (1.0 - opacity);
  }
  color = vec4(light, clamp(opacity, 0.0, 1.0) * clamp(value, 0.0, 1.0));
}
)";
}

std::string field_fragment() {
  return version + mesh_inputs + edge_line + R"(
in float land;
uniform vec3 eye, land_color, no_value_color;
uniform float low, high, line_width, entries;
uniform bool lines, logarithmic;
uniform sampler2D color_map;
out vec4 color;
void main() {
  bool none = isnan(value) || (logarithmic && value <= 0.0);
  float part = none ? 0.0 : logarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low);
  color.rgb = texture(color_map, vec2((clamp(part, 0.0, 1.0) * (entries - 1.0) + 0.5) / entries, 0.5)).rgb;
  if (none) color.rgb = no_value_color;
  if (land > 0.5) color.rgb = land_color;
  // The given colour where the surface is inclined by less than 60 degrees; darker only towards its outline.
  float facing = abs(dot(normalize(normal), normalize(eye - at)));
  color.rgb *= mix(0.55, 1.0, smoothstep(0.0, 0.5, facing));
  if (lines) color.rgb = mix(color.rgb, vec3(0.15), 0.35 * edge_line(line_width));
  color.a = -distance(eye, at);
}
)";
}

std::string water_fragment() {
  return version + environment + optics + mesh_inputs + R"(
uniform sampler2D opaque, water_back, thickness_map;
uniform vec2 size_in_pixels;
uniform mat4 matrix;
uniform bool on_bed, removed;
uniform vec3 even;
out vec4 color;
vec2 screen_place(vec3 point) {
  vec4 clip = matrix * vec4(point, 1.0);
  return 0.5 + 0.5 * clip.xy / clip.w;
}
// The first solid along the ray in the picture; a negative opacity if there is none.
vec4 solid_on_the_way(vec3 from, vec3 direction, float path) {
  const int steps = 24;
  float stride = path / float(steps);
  for (int i = 1; i <= steps; ++i) {
    vec3 point = from + direction * stride * float(i);
    vec2 place = screen_place(point);
    if (any(lessThan(place, vec2(0.0))) || any(greaterThan(place, vec2(1.0)))) break;
    vec4 there = texture(opaque, place);
    float behind = distance(point, eye) + there.a;  // for a solid, a is minus its distance
    if (there.a < 0.0 && behind > 0.0 && behind < 3.0 * stride + 0.05 * size) return vec4(there.rgb, 1.0);
  }
  return vec4(-1.0);
}
void main() {
  vec2 here = gl_FragCoord.xy / size_in_pixels;
  vec3 view = normalize(at - eye), facing = normalize(normal);
  if (dot(facing, view) > -0.02) facing = normalize(facing - (dot(facing, view) + 0.02) * view);
  float away = distance(at, eye);
  float thickness = max(texture(thickness_map, here).r, 0.0);
  vec3 inside = refract(view, facing, 1.0 / index);
  vec4 back = texture(water_back, here);
  vec3 behind;
  float path = thickness;
  if (on_bed) {
    vec3 down = normalize(back.xyz);
    path = thickness * clamp(max(dot(view, down), 0.0) / max(dot(inside, down), 0.1), 0.05, 1.0);
    vec2 there = clamp(screen_place(at + path * inside), 0.001, 0.999);
    vec4 bed = texture(opaque, there);
    if (abs(bed.a) < away - 0.02 * size) bed = texture(opaque, here);  // a body in front of the water
    behind = bed.rgb;
  } else {
    path = refracted_path(thickness, view, inside, facing, back.a > 0.0 ? normalize(back.xyz) : -facing);
    vec4 solid = has_solids ? solid_on_the_way(at, inside, path) : vec4(-1.0);
    vec3 exit = at + path * inside;
    vec4 there = texture(water_back, screen_place(exit));
    vec3 out_of = normalize(there.a > 0.0 ? there.xyz : back.xyz);
    if (dot(out_of, inside) < 0.0) out_of = -out_of;
    vec3 outside = refract(inside, -out_of, index);
    if (dot(outside, outside) < 0.5) outside = reflect(inside, -out_of);
    if (has_solids && solid.a < 0.0) solid = solid_on_the_way(exit, outside, 3.0 * size);
    vec3 far = removed ? even : surroundings(exit, outside, 5.0 * away);  // blurs small features
    behind = solid.a < 0.0 ? far : solid.rgb;
  }
  vec3 through = transmittance(path);
  // Light scattered back by deep water.
  vec3 scattered = vec3(0.02, 0.15, 0.23) * (1.0 - through.r) * (0.6 + 0.4 * max(dot(facing, to_light), 0.0));
  vec3 mirrored_way = reflect(view, facing);
  vec3 mirrored = surroundings(at, mirrored_way, away);
  float glint = pow(max(dot(mirrored_way, to_light), 0.0), 700.0);
  float part = reflectance(-dot(facing, view));
  color = vec4((1.0 - part) * (min(behind, vec3(4.0)) * through + scattered) + part * mirrored + 5.0 * sun * glint * (0.15 + part), -away);
}
)";
}

// The surroundings, evaluated at the corners of cells: apart from the tiles, they vary slowly.
std::string fast_background_vertex() {
  return version + fast_environment + R"(
uniform mat4 from_clip;
uniform bool plain;
uniform vec3 even;
out vec3 light;
const int columns = 32, rows = 24;
void main() {
  int cell = gl_VertexID / 6, corner = gl_VertexID % 6;
  vec2 step = vec2(corner == 1 || corner == 2 || corner == 4, corner == 2 || corner == 4 || corner == 5);
  vec2 place = 2.0 * (vec2(cell % columns, cell / columns) + step) / vec2(columns, rows) - 1.0;
  vec4 far = from_clip * vec4(place, 1.0, 1.0);
  light = plain ? even : fast_surroundings(eye, normalize(far.xyz / far.w - eye));
  gl_Position = vec4(place, 0.0, 1.0);
}
)";
}

std::string tile_vertex() {
  return version + fast_environment + R"(
uniform mat4 matrix;
uniform int reach;
out float darkness;
void main() {
  int tile = gl_VertexID / 6, corner = gl_VertexID % 6, row = tile / reach - reach / 2;
  vec2 step = vec2(corner == 1 || corner == 2 || corner == 4, corner == 2 || corner == 4 || corner == 5) - 0.5;
  vec2 place = vec2(2 * (tile % reach - reach / 2) + abs(row % 2), row) + step;
  vec3 first = normalize(cross(up, abs(up.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0)));
  vec3 point = 0.28 * size * (place.x * first + place.y * cross(up, first));
  darkness = 0.06 * (1.0 - ground_haze(point));
  gl_Position = matrix * vec4(center + point + (ground - dot(center, up)) * up, 1.0);
}
)";
}

std::string fast_background_fragment() {
  return version + "in vec3 light;\nout vec4 color;\nvoid main() { color = vec4(light, 1.0); }\n";
}

std::string tile_fragment() {
  return version +
         "in float darkness;\nout vec4 color;\nvoid main() { color = vec4(0.0, 0.0, 0.0, darkness); }\n";
}

std::string fast_solid_fragment() {
  return version + mesh_inputs + R"(
uniform vec3 eye, up, to_light, albedo;
uniform bool unlit;
out vec4 color;
void main() {
  vec3 facing = normalize(gl_FrontFacing ? normal : -normal);
  float light = 0.55 + 0.15 * dot(facing, up) + 0.4 * max(dot(facing, to_light), 0.0);
  color = vec4(unlit ? albedo : albedo * light, 1.0);
}
)";
}

// The reflected light varies slowly and is evaluated at the vertices.
std::string fast_water_vertex() {
  return version + fast_environment + R"(
layout(location = 0) in vec3 position_in;
layout(location = 1) in vec3 normal_in;
uniform mat4 matrix;
out vec3 from_eye, normal, mirrored;
void main() {
  from_eye = position_in - eye;
  normal = normal_in;
  mirrored = fast_surroundings(position_in, reflect(normalize(from_eye), normal_in));
  gl_Position = matrix * vec4(position_in, 1.0);
}
)";
}

// The background is seen straight through the water, tinted according to the path length in it.
std::string fast_water_fragment() {
  return version + R"(
in vec3 from_eye, normal, mirrored;
uniform vec3 to_light;
uniform float chord;  // path length straight through the water / clarity
uniform bool on_bed;
out vec4 color;
void main() {
  vec3 view = normalize(from_eye), facing = normalize(normal);
  float along = dot(facing, view), cosine = clamp(-along, 0.05, 1.0);
  float path = chord * (on_bed ? 1.0 / cosine : cosine);
  vec3 through = exp(-path * vec3(1.0, 0.36, 0.14));
  float grazing = 1.0 - cosine, grazing_twice = grazing * grazing;
  float part = 0.03 + 0.97 * grazing_twice * grazing_twice * grazing;
  float lit = dot(facing, to_light);
  float glint = max(dot(view, to_light) - 2.0 * along * lit, 0.0);  // along the reflected view
  glint *= glint, glint *= glint, glint *= glint;
  float eighth = glint;
  glint *= glint, glint *= glint, glint *= glint, glint *= glint;
  glint *= eighth * eighth * eighth * eighth * eighth * eighth * eighth * eighth * eighth;  // to the power of 200
  float opacity = clamp(1.0 - (1.0 - part) * 0.75 * through.g, 0.0, 1.0);
  vec3 own = vec3(0.16, 0.48, 0.70) * (0.7 + 0.3 * max(lit, 0.0)) * (0.5 + 0.5 * through);
  color = vec4(mix(own, mirrored, part) + 0.9 * glint, max(opacity, min(glint, 1.0)));
}
)";
}

std::string shadow_fragment() {
  return version +
         "uniform float darkness;\nout vec4 color;\nvoid main() { color = vec4(0.12, 0.14, 0.2, darkness); "
         "}\n";
}

std::string line_fragment() {
  return version +
         "uniform vec3 albedo;\nuniform float opacity;\nout vec4 color;\nvoid main() { color = "
         "vec4(albedo, opacity); }\n";
}

std::string foam_vertex() {
  return version + R"(
layout(location = 0) in vec3 position_in;
layout(location = 1) in vec3 normal_in;
layout(location = 2) in vec2 offset_in;
layout(location = 3) in vec2 place_in;
layout(location = 4) in vec3 strength_in;
uniform mat4 matrix;
uniform vec3 to_right, upwards;
uniform float nearer;
out vec3 normal, strength;
out vec2 place;
void main() {
  normal = normal_in;
  place = place_in;
  strength = strength_in;
  gl_Position = matrix * vec4(position_in + offset_in.x * to_right + offset_in.y * upwards, 1.0);
  gl_Position.z -= nearer * gl_Position.w;
}
)";
}

// Bubbles are cells around random points; a cell is foam if its random number is below the cover.
std::string foam_fragment() {
  return version + R"(
in vec3 normal, strength;
in vec2 place;
uniform vec3 to_light, up;
uniform float gauss;
uniform bool plain;
out vec4 color;
vec2 hash(vec2 p) {
  p = vec2(dot(p, vec2(127.1, 311.7)), dot(p, vec2(269.5, 183.3)));
  return fract(sin(p) * 43758.5453);
}
float noise(vec2 p) {
  vec2 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i).x, hash(i + vec2(1, 0)).x, f.x), mix(hash(i + vec2(0, 1)).x, hash(i + vec2(1, 1)).x, f.x), f.y);
}
// The distance to the nearest of the points around which the bubbles lie.
float to_bubble(vec2 p) {
  vec2 i = floor(p);
  float nearest = 9.0;
  for (int a = -1; a <= 1; ++a)
    for (int b = -1; b <= 1; ++b) {
      vec2 cell = i + vec2(a, b);
      nearest = min(nearest, distance(p, cell + hash(cell)));
    }
  return nearest;
}
void main() {
  float s = dot(place, place);
  if (s >= 1.0) discard;
  float opacity = strength.y * mix(1.0 - s, exp(-4.0 * s), gauss);
  if (strength.z >= 0.0) {
    vec2 p = place + 97.0 * vec2(strength.z, fract(31.7 * strength.z));
    float lumps = 0.65 * noise(4.0 * p) + 0.35 * noise(11.0 * p);
    float rims = smoothstep(0.1, 0.7, to_bubble(13.0 * p));  // dense between bubbles
    float cover = strength.x;
    opacity *= smoothstep(1.0 - cover, 1.25 - 0.6 * cover, lumps + 0.35 * rims + 0.25 * cover);
  }
  float lit = max(dot(normalize(normal), to_light), 0.0);
  vec3 light = plain ? vec3(0.86 + 0.14 * lit)
                     : 0.85 * (vec3(0.50, 0.56, 0.66) * (0.75 + 0.25 * dot(normalize(normal), up)) + 0.5 * lit * vec3(2.3, 2.15, 1.9));
  color = vec4(light, clamp(opacity, 0.0, 1.0));
}
)";
}

std::string resolve_fragment() {
  return version + R"(
uniform sampler2D image;
uniform int samples;
uniform bool plain;
out vec4 color;
vec3 screen_color(vec3 light) {
  if (plain) return light;
  light *= 0.68;
  light = light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14);  // Narkowicz 2016, fit of ACES
  light = clamp(light, 0.0, 1.0);
  return mix(12.92 * light, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}
void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * samples;
  vec3 sum = vec3(0.0);
  for (int i = 0; i < samples; ++i)
    for (int j = 0; j < samples; ++j) sum += screen_color(texelFetch(image, first + ivec2(i, j), 0).rgb);
  color = vec4(sum / float(samples * samples), 1.0);
}
)";
}

double screen_color(double light) {
  light *= 0.68;
  light = std::clamp(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0.0, 1.0);
  return light < 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
}

}  // namespace shoal::shader
