// The passes of a picture: the light's view, the camera's view, and the averaging of samples to pixels.
#include "reference/renderer/renderer.hpp"

#include "discretizations/common/error.hpp"
#include "reference/renderer/gl_objects.hpp"
#include "reference/renderer/shaders.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

using gl::Program, gl::Target, gl::Texture, gl::Vertices;

constexpr int light_texels = 1024, caustic_texels = 512;

void draw_fullscreen() {
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// Enables depth test and depth writes, and draws both sides.
void reset_state() {
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glClearDepth(1);
}

void clear(float red, float green, float blue, float alpha) {
  glClearColor(red, green, blue, alpha);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void draw_side(const Vertices& corners, GLenum hidden) {
  glEnable(GL_CULL_FACE);
  glCullFace(hidden);
  corners.draw();
  glDisable(GL_CULL_FACE);
}

/// Parallel light on a ball around the scene.
struct LightView {
  Vector3 to_light;
  double range = 1;  ///< m between the depths 0 and 1
  Eigen::Matrix4d matrix, inverse;
  explicit LightView(const Picture& picture) : to_light(picture.light.normalized()) {
    const double half = 1.15 * picture.size;
    Camera camera;
    camera.target = picture.center;
    camera.eye = picture.center + 2 * picture.size * to_light;
    camera.up = std::abs(to_light.dot(picture.up)) > 0.99 ? picture.up.unitOrthogonal() : picture.up;
    range = 20 * picture.size;
    Eigen::Matrix4d projection = Eigen::Matrix4d::Identity();
    projection(0, 0) = projection(1, 1) = 1 / half;
    projection(2, 2) = -2 / range;
    projection(2, 3) = -1;
    matrix = projection * camera.view();
    inverse = matrix.inverse();
  }
};

struct Programs {
  Program depth, boundary, thickness, photon, blur, background, solid, skin, field, water, line, foam,
      resolve, shadow, tile;
};

/// What the light sees.
struct LightMaps {
  Texture light_depth, light_front, light_back, photons, blurred, sunlight;
  Target to_light_depth, to_light_front, to_light_back, to_photons, to_blurred, to_sunlight;
};

/// What the camera sees.
struct Layers {
  Texture opaque, opaque_depth, lit, back, back_depth, passed, result, result_depth;
  Target to_opaque, to_lit, to_back, to_passed, to_result;
};

}  // namespace

struct Renderer::Parts : Programs, LightMaps, Layers {
  RenderOptions options;
  int width, height;  // of samples
  bool fast() const { return options.quality == Quality::fast; }
  gl::Name<gl::delete_vertex_array> no_corners;
  // For the picture being drawn:
  const Picture* picture = nullptr;
  Eigen::Matrix4d matrix;  // world to clip space

  explicit Parts(const RenderOptions& given);
  bool plain() const { return picture->backdrop == Backdrop::plain; }
  bool outdoors() const { return picture->backdrop == Backdrop::outdoors; }
  void make_full();
  void make_fast();
  void set_fast_environment(Program& program);
  void draw_shadow(const Vertices& corners, const Eigen::Matrix4d& place);
  void draw_fast(const Vertices* water_corners, const Vertices* skin_corners,
                 const std::vector<Vertices>& solids);
  void draw_light_view(const LightView& light, const Vertices* water_corners,
                       const std::vector<Vertices>& solids);
  void draw_solids(Program& program, const std::vector<Vertices>& solids);
  void set_environment(Program& program, const LightView& light);
  void draw_opaque(const LightView& light, const std::vector<Vertices>& solids);
  void draw_field();
  void draw_water(const LightView& light, const Vertices& corners);
  void draw_skin(const Vertices& corners, GLenum hidden);
  void draw_lines();
  void draw_foam();
  void finish();
};

Renderer::Parts::Parts(const RenderOptions& given)
    : options(given), width(given.width * given.samples), height(given.height * given.samples) {
  if (fast() && options.samples != 1) throw std::logic_error("Quality::fast requires samples = 1");
  GLint max_size = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_size);
  if (width > max_size || height > max_size)
    throw MachineError(
        fmt::format("a picture of {} x {} pixels with {} samples per side is too large: at most {} samples",
                    given.width, given.height, given.samples, max_size));
  skin = Program(shader::mesh_vertex(), shader::skin_fragment());
  field = Program(shader::mesh_vertex(), shader::field_fragment());
  line = Program(shader::line_vertex(), shader::line_fragment());
  foam = Program(shader::foam_vertex(), shader::foam_fragment());
  result = Texture(given.width, given.height, GL_RGBA8, false);
  GLuint made = 0;
  glGenVertexArrays(1, &made);
  no_corners = gl::Name<gl::delete_vertex_array>(made);
  if (fast())
    make_fast();
  else
    make_full();
}

void Renderer::Parts::make_fast() {
  background = Program(shader::fast_background_vertex(), shader::fast_background_fragment());
  tile = Program(shader::tile_vertex(), shader::tile_fragment());
  solid = Program(shader::mesh_vertex(), shader::fast_solid_fragment());
  water = Program(shader::fast_water_vertex(), shader::fast_water_fragment());
  shadow = Program(shader::mesh_vertex(), shader::shadow_fragment());
  result_depth = Texture(width, height, GL_DEPTH24_STENCIL8, false);
  to_result = Target(&result, &result_depth);
}

void Renderer::Parts::make_full() {
  const std::string mesh = shader::mesh_vertex(), whole = shader::fullscreen_vertex();
  depth = Program(mesh, shader::depth_fragment());
  boundary = Program(mesh, shader::boundary_fragment());
  thickness = Program(mesh, shader::thickness_fragment());
  photon = Program(shader::photon_vertex(), shader::photon_fragment());
  blur = Program(whole, shader::blur_fragment());
  background = Program(whole, shader::background_fragment());
  solid = Program(mesh, shader::solid_fragment());
  water = Program(mesh, shader::water_fragment());
  resolve = Program(whole, shader::resolve_fragment());

  light_depth = Texture(light_texels, light_texels, GL_DEPTH_COMPONENT32F, false, {1, 1, 1, 1});
  light_front = Texture(light_texels, light_texels, GL_RGBA32F, false, {0, 0, 0, 2});
  light_back = Texture(light_texels, light_texels, GL_RGBA32F, false);
  photons = Texture(caustic_texels, caustic_texels, GL_RGBA32F, false, {1, 1, 1, 1});
  blurred = Texture(caustic_texels, caustic_texels, GL_RGBA32F, false, {1, 1, 1, 1});
  sunlight = Texture(caustic_texels, caustic_texels, GL_RGBA16F, true, {1, 1, 1, 1});
  opaque = Texture(width, height, GL_RGBA32F, true);
  opaque_depth = Texture(width, height, GL_DEPTH_COMPONENT32F, false);
  lit = Texture(width, height, GL_RGBA32F, false);
  back = Texture(width, height, GL_RGBA32F, false);
  back_depth = Texture(width, height, GL_DEPTH_COMPONENT32F, false);
  passed = Texture(width, height, GL_R32F, false);

  to_light_depth = Target(nullptr, &light_depth);
  to_light_front = Target(&light_front, &light_depth);
  to_light_back = Target(&light_back, &light_depth);
  to_photons = Target(&photons, nullptr);
  to_blurred = Target(&blurred, nullptr);
  to_sunlight = Target(&sunlight, nullptr);
  to_opaque = Target(&opaque, &opaque_depth);
  to_lit = Target(&lit, &opaque_depth);
  to_back = Target(&back, &back_depth);
  to_passed = Target(&passed, nullptr);
  to_result = Target(&result, nullptr);
}

void Renderer::Parts::set_fast_environment(Program& program) {
  program.set("eye", picture->camera.eye);
  program.set("up", picture->up);
  program.set("to_light", Vector3(picture->light.normalized()));
  program.set("center", picture->center);
  program.set("ground", picture->ground.value_or(0));
  program.set("size", picture->size);
  program.set("has_ground", static_cast<int>(picture->ground.has_value()));
  program.set("matrix", matrix);
}

/// Projects shadows along the light onto the ground; the stencil darkens each place once.
void Renderer::Parts::draw_shadow(const Vertices& corners, const Eigen::Matrix4d& place) {
  const Vector3 light = picture->light.normalized(), up = picture->up;
  const double level = *picture->ground + 1e-3 * picture->size, slope = light.dot(up);
  Eigen::Matrix4d flat = Eigen::Matrix4d::Identity();
  flat.topLeftCorner<3, 3>() -= light * up.transpose() / slope;
  flat.topRightCorner<3, 1>() = light * level / slope;
  shadow.set("model", Eigen::Matrix4d(flat * place));
  corners.draw();
}

void Renderer::Parts::draw_fast(const Vertices* water_corners, const Vertices* skin_corners,
                                const std::vector<Vertices>& solids) {
  const Eigen::Matrix4d here = Eigen::Matrix4d::Identity();
  reset_state();
  to_result.bind();
  glClearStencil(0);
  clear(0, 0, 0, 1);
  glClear(GL_STENCIL_BUFFER_BIT);
  glDisable(GL_DEPTH_TEST);
  background.use();
  set_fast_environment(background);
  background.set("from_clip", Eigen::Matrix4d(matrix.inverse()));
  background.set("plain", static_cast<int>(!outdoors()));
  background.set("even", picture->background);
  glBindVertexArray(no_corners);
  glDrawArrays(GL_TRIANGLES, 0, 6 * 32 * 24);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  if (outdoors() && picture->ground && picture->camera.eye.dot(picture->up) > *picture->ground) {
    constexpr int reach = 51;  // tiles, until haze hides them
    glEnable(GL_BLEND);
    tile.use();
    set_fast_environment(tile);
    tile.set("reach", reach);
    glDrawArrays(GL_TRIANGLES, 0, 6 * reach * reach);
    glDisable(GL_BLEND);
  }
  if (options.shadows && picture->backdrop != Backdrop::outdoors_removed && picture->ground &&
      picture->light.dot(picture->up) > 0.1) {
    glEnable(GL_BLEND);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    shadow.use();
    shadow.set("matrix", matrix);
    shadow.set("darkness", 0.45);
    for (std::size_t i = 0; i < solids.size(); ++i)
      if (!picture->solids[i].unlit &&
          picture->solids[i].place.translation().dot(picture->up) > *picture->ground)
        draw_shadow(solids[i], Eigen::Matrix4d(picture->solids[i].place.matrix()));
    shadow.set("darkness", 0.3);
    if (water_corners) draw_shadow(*water_corners, here);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
  }
  glEnable(GL_DEPTH_TEST);
  solid.use();
  set_fast_environment(solid);
  draw_solids(solid, solids);
  if (picture->field) draw_field();
  glEnable(GL_BLEND);
  if (skin_corners) draw_skin(*skin_corners, GL_FRONT);
  if (water_corners) {
    reset_state();
    glEnable(GL_BLEND);
    water.use();
    set_fast_environment(water);
    water.set("on_bed", static_cast<int>(picture->water->on_bed));
    water.set("chord", (picture->water->on_bed ? 0.45 : 1.0));
    draw_side(*water_corners, GL_BACK);
  }
  if (skin_corners) draw_skin(*skin_corners, GL_BACK);
  draw_foam();
  draw_lines();
  reset_state();
  if (const GLenum failure = glGetError(); failure != GL_NO_ERROR)
    throw MachineError(fmt::format("OpenGL failed while a picture was drawn (error {:#06x})", failure));
}

void Renderer::Parts::draw_solids(Program& program, const std::vector<Vertices>& solids) {
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const SolidBody& body = picture->solids[i];
    program.set("model", Eigen::Matrix4d(body.place.matrix()));
    program.set("albedo", body.color);
    program.set("tiles", static_cast<int>(body.tiles));
    program.set("unlit", static_cast<int>(body.unlit));
    if (body.one_sided)
      draw_side(solids[i], GL_BACK);
    else
      solids[i].draw();
  }
}

/// Draws the nearest and farthest interfaces of the water, where its photons arrive, and last the depth of opaque bodies.
void Renderer::Parts::draw_light_view(const LightView& light, const Vertices* water_corners,
                                      const std::vector<Vertices>& solids) {
  reset_state();
  if (water_corners) {
    boundary.use();
    boundary.set("matrix", light.matrix);
    boundary.set("model", Eigen::Matrix4d(Eigen::Matrix4d::Identity()));
    boundary.set("of_light", 1);
    to_light_front.bind();
    clear(0, 0, 0, 2);
    draw_side(*water_corners, GL_BACK);
    to_light_back.bind();
    glClearDepth(0);
    glDepthFunc(GL_GREATER);
    clear(0, 0, 0, 0);
    draw_side(*water_corners, GL_FRONT);
    reset_state();

    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    to_photons.bind();
    clear(0, 0, 0, 0);
    photon.use();
    photon.set_texture("light_front", light_front.name);
    photon.set_texture("light_back", light_back.name);
    photon.set("light_matrix", light.matrix);
    photon.set("from_light", light.inverse);
    photon.set("to_light", light.to_light);
    photon.set("up", picture->up);
    photon.set("ground", picture->ground.value_or(-1e9));
    photon.set("light_range", light.range);
    photon.set("on_bed", static_cast<int>(picture->water->on_bed));
    photon.set("clarity", picture->water->clarity);
    photon.set("rows", light_texels);
    glBindVertexArray(no_corners);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glDrawArrays(GL_POINTS, 0, light_texels * light_texels);
    glDisable(GL_BLEND);

    glBindVertexArray(no_corners);
    for (const bool upright : {false, true}) {
      blur.use();
      (upright ? to_sunlight : to_blurred).bind();
      blur.set_texture("image", (upright ? blurred : photons).name);
      blur.set_pair("texel", upright ? 0 : 1.0 / caustic_texels, upright ? 1.0 / caustic_texels : 0);
      draw_fullscreen();
    }
  }
  reset_state();
  to_light_depth.bind();
  glClear(GL_DEPTH_BUFFER_BIT);
  depth.use();
  depth.set("matrix", light.matrix);
  draw_solids(depth, solids);
}

void Renderer::Parts::set_environment(Program& program, const LightView& light) {
  program.set("eye", picture->camera.eye);
  program.set("up", picture->up);
  program.set("to_light", light.to_light);
  program.set("center", picture->center);
  program.set("ground", picture->ground.value_or(0));
  program.set("size", picture->size);
  program.set("has_ground", static_cast<int>(picture->ground.has_value()));
  program.set("has_solids", static_cast<int>(!picture->solids.empty()));
  program.set("has_water", static_cast<int>(picture->water.has_value()));
  program.set("plain", static_cast<int>(plain()));
  program.set("matrix", matrix);
  program.set("light_matrix", light.matrix);
  program.set_texture("solid_depth", light_depth.name);
  program.set_texture("light_front", light_front.name);
  program.set_texture("sunlight", sunlight.name);
}

void Renderer::Parts::draw_opaque(const LightView& light, const std::vector<Vertices>& solids) {
  reset_state();
  to_opaque.bind();
  clear(0, 0, 0, 0);
  background.use();
  set_environment(background, light);
  background.set("from_clip", Eigen::Matrix4d(matrix.inverse()));
  background.set("plain", static_cast<int>(!outdoors()));
  background.set("even", picture->background);
  glDepthFunc(GL_LEQUAL);
  glBindVertexArray(no_corners);
  draw_fullscreen();
  glDepthFunc(GL_LESS);
  solid.use();
  set_environment(solid, light);
  draw_solids(solid, solids);
  if (picture->field) draw_field();
}

void Renderer::Parts::draw_field() {
  const FieldSurface& surface = *picture->field;
  const auto entries = static_cast<int>(surface.colors->colors.size());
  Texture colors(entries, 1, GL_RGBA32F, true);
  std::vector<float> texels;
  for (const Color& color : surface.colors->colors)
    texels.insert(texels.end(), {static_cast<float>(color[0]), static_cast<float>(color[1]),
                                 static_cast<float>(color[2]), 1});
  glBindTexture(GL_TEXTURE_2D, colors.name);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, entries, 1, GL_RGBA, GL_FLOAT, texels.data());
  const Vertices corners = gl::corners_of(surface.mesh);
  field.use();
  field.set("matrix", matrix);
  field.set("model", Eigen::Matrix4d(Eigen::Matrix4d::Identity()));
  field.set("eye", picture->camera.eye);
  field.set("land_color", land_color);
  field.set("no_value_color", no_value_color);
  field.set("logarithmic", static_cast<int>(surface.logarithmic));
  field.set("low", surface.low);
  field.set("high", surface.high);
  field.set("entries", static_cast<double>(entries));
  field.set("lines", static_cast<int>(surface.lines));
  field.set("line_width", 0.5 * options.samples);
  field.set_texture("color_map", colors.name);
  corners.draw();
}

void Renderer::Parts::draw_water(const LightView& light, const Vertices& corners) {
  reset_state();
  const Eigen::Matrix4d nowhere_else = Eigen::Matrix4d::Identity();
  to_back.bind();
  glClearDepth(0);
  glDepthFunc(GL_GREATER);
  clear(0, 0, 0, 0);
  boundary.use();
  boundary.set("matrix", matrix);
  boundary.set("model", nowhere_else);
  boundary.set("of_light", 0);
  boundary.set("eye", picture->camera.eye);
  draw_side(corners, GL_FRONT);

  reset_state();
  to_passed.bind();
  clear(0, 0, 0, 0);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  thickness.use();
  thickness.set("matrix", matrix);
  thickness.set("model", nowhere_else);
  thickness.set("eye", picture->camera.eye);
  thickness.set_pair("size_in_pixels", width, height);
  thickness.set_texture("opaque", opaque.name);
  corners.draw();

  reset_state();
  to_lit.bind();
  water.use();
  set_environment(water, light);
  water.set("model", nowhere_else);
  water.set("clarity", picture->water->clarity);
  water.set("on_bed", static_cast<int>(picture->water->on_bed));
  water.set("removed", static_cast<int>(picture->backdrop == Backdrop::outdoors_removed));
  water.set("even", picture->background);
  water.set_pair("size_in_pixels", width, height);
  water.set_texture("opaque", opaque.name);
  water.set_texture("water_back", back.name);
  water.set_texture("thickness_map", passed.name);
  draw_side(corners, GL_BACK);
}

void Renderer::Parts::draw_skin(const Vertices& corners, GLenum hidden) {
  reset_state();
  (fast() ? to_result : to_lit).bind();
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);  // keeps the distance behind
  skin.use();
  skin.set("matrix", matrix);
  skin.set("model", Eigen::Matrix4d(Eigen::Matrix4d::Identity()));
  skin.set("eye", picture->camera.eye);
  skin.set("to_light", Vector3(picture->light.normalized()));
  skin.set("lines", static_cast<int>(picture->skin->lines));
  skin.set("plain", static_cast<int>(plain() || fast()));
  skin.set("line_width", 0.5 * options.samples);
  draw_side(corners, hidden);
}

void Renderer::Parts::draw_lines() {
  if (picture->lines.empty()) return;
  reset_state();
  (fast() ? to_result : to_lit).bind();
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  line.use();
  line.set("matrix", matrix);
  line.set("nearer", 3e-4);
  for (const LineSet& set : picture->lines) {
    if (set.through)
      glDisable(GL_DEPTH_TEST);
    else
      glEnable(GL_DEPTH_TEST);
    line.set("albedo", set.color);
    line.set("opacity", set.opacity);
    gl::segments_of(set.ends).draw();
  }
}

/// Not sorted by distance: its colour hardly varies.
void Renderer::Parts::draw_foam() {
  if (!picture->foam || picture->foam->corners.empty()) return;
  reset_state();
  (fast() ? to_result : to_lit).bind();
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  const Eigen::Matrix4d view = picture->camera.view();
  foam.use();
  foam.set("matrix", matrix);
  foam.set("to_right", Vector3(view.block<1, 3>(0, 0).transpose()));
  foam.set("upwards", Vector3(view.block<1, 3>(1, 0).transpose()));
  foam.set("nearer", 3e-4);
  foam.set("to_light", Vector3(picture->light.normalized()));
  foam.set("up", picture->up);
  foam.set("gauss", picture->foam->gauss);
  foam.set("plain", static_cast<int>(plain() || fast()));
  gl::corners_of(*picture->foam).draw();
}

void Renderer::Parts::finish() {
  reset_state();
  glDisable(GL_DEPTH_TEST);
  to_result.bind();
  resolve.use();
  resolve.set_texture("image", lit.name);
  resolve.set("samples", options.samples);
  resolve.set("plain", static_cast<int>(plain()));
  glBindVertexArray(no_corners);
  draw_fullscreen();
  if (const GLenum failure = glGetError(); failure != GL_NO_ERROR)
    throw MachineError(fmt::format("OpenGL failed while a picture was drawn (error {:#06x})", failure));
}

Renderer::Renderer(const RenderOptions& options) : parts_(std::make_unique<Parts>(options)) {}
Renderer::~Renderer() = default;

void Renderer::draw(const Picture& picture) {
  Parts& p = *parts_;
  p.picture = &picture;
  p.matrix = picture.camera.projection(static_cast<double>(p.width) / p.height) * picture.camera.view();
  const LightView light(picture);
  std::vector<Vertices> solids;
  for (const SolidBody& body : picture.solids) solids.push_back(gl::corners_of(*body.mesh));
  std::optional<Vertices> water, skin;
  if (picture.water) water = gl::corners_of(picture.water->mesh);
  if (picture.skin) skin = gl::corners_of(picture.skin->mesh);

  if (p.fast()) return p.draw_fast(water ? &*water : nullptr, skin ? &*skin : nullptr, solids);
  p.draw_light_view(light, water ? &*water : nullptr, solids);
  p.draw_opaque(light, solids);
  p.to_opaque.copy_to(p.to_lit);
  if (skin) p.draw_skin(*skin, GL_FRONT);
  if (water) p.draw_water(light, *water);
  if (skin) p.draw_skin(*skin, GL_BACK);
  p.draw_foam();
  p.draw_lines();
  p.finish();
}

Cutout Renderer::draw_without_background(Picture picture, const std::function<void(Image&)>& annotate) {
  if (picture.backdrop == Backdrop::outdoors) picture.backdrop = Backdrop::outdoors_removed;
  const auto over = [&](const Color& background) {
    picture.background = background;
    draw(picture);
    Image image = read();
    annotate(image);
    return image;
  };
  const bool on_screen =
      parts_->fast() || picture.backdrop == Backdrop::plain;  // without a conversion of light
  return cut_out(over({0, 0, 0}), over({1, 1, 1}), on_screen ? 1 : shader::screen_color(1));
}

Image Renderer::read() const {
  Image image(parts_->options.width, parts_->options.height);
  parts_->to_result.bind();
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  std::vector<std::uint8_t> from_below(image.bytes.size());
  glReadPixels(0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, from_below.data());
  const std::size_t row = 3 * static_cast<std::size_t>(image.width);
  for (int i = 0; i < image.height; ++i)
    std::copy_n(from_below.data() + row * static_cast<std::size_t>(image.height - 1 - i), row,
                image.pixel(0, i));
  return image;
}

void Renderer::replace(const Image& image) {
  std::vector<std::uint8_t> from_below(image.bytes.size());
  const std::size_t row = 3 * static_cast<std::size_t>(image.width);
  for (int i = 0; i < image.height; ++i)
    std::copy_n(image.pixel(0, i), row,
                from_below.data() + row * static_cast<std::size_t>(image.height - 1 - i));
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glBindTexture(GL_TEXTURE_2D, parts_->result.name);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE,
                  from_below.data());
}

void Renderer::show(int width, int height) const {
  parts_->to_result.copy_to_window(width, height);
}

std::vector<float> Renderer::water_thickness() const {
  const Parts& p = *parts_;
  std::vector<float> samples(static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height)), pixels;
  p.to_passed.bind();
  glReadPixels(0, 0, p.width, p.height, GL_RED, GL_FLOAT, samples.data());
  for (int row = 0; row < p.options.height; ++row)
    for (int column = 0; column < p.options.width; ++column)
      pixels.push_back(samples[static_cast<std::size_t>(p.height - 1 - row * p.options.samples) *
                                   static_cast<std::size_t>(p.width) +
                               static_cast<std::size_t>(column * p.options.samples)]);
  return pixels;
}

}  // namespace shoal
