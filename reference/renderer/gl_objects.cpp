// Compiling shaders, making textures, uploading meshes.
#include "reference/renderer/gl_objects.hpp"

#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace shoal::gl {
namespace {

template <class Numbers>
void append(const Numbers& numbers, std::vector<float>& values) {
  for (const double number : numbers) values.push_back(static_cast<float>(number));
}

GLuint compile(GLenum kind, const std::string& text) {
  const GLuint shader = glCreateShader(kind);
  const char* start = text.c_str();
  glShaderSource(shader, 1, &start, nullptr);
  glCompileShader(shader);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;
  char words[2000] = "";
  glGetShaderInfoLog(shader, sizeof words, nullptr, words);
  throw std::logic_error(std::string("a shader does not compile: ") + words);
}

}  // namespace

Program::Program(const std::string& vertex_text, const std::string& fragment_text)
    : name_(glCreateProgram()) {
  for (const GLuint shader :
       {compile(GL_VERTEX_SHADER, vertex_text), compile(GL_FRAGMENT_SHADER, fragment_text)}) {
    glAttachShader(name_, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(name_);
  GLint linked = GL_FALSE;
  glGetProgramiv(name_, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return;
  char words[2000] = "";
  glGetProgramInfoLog(name_, sizeof words, nullptr, words);
  throw std::logic_error(std::string("shaders do not fit together: ") + words);
}

void Program::set(const char* name, const Vector3& value) const {
  const Eigen::Vector3f single = value.cast<float>();
  glUniform3fv(place(name), 1, single.data());
}

void Program::set(const char* name, const Eigen::Matrix4d& value) const {
  const Eigen::Matrix4f single = value.cast<float>();
  glUniformMatrix4fv(place(name), 1, GL_FALSE, single.data());
}

void Program::set_pair(const char* name, double first, double second) const {
  glUniform2f(place(name), static_cast<float>(first), static_cast<float>(second));
}

void Program::set_texture(const char* name, GLuint texture) {
  if (place(name) < 0) return;
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(next_unit_));
  glBindTexture(GL_TEXTURE_2D, texture);
  glUniform1i(place(name), next_unit_++);
}

Texture::Texture(int columns, int rows, GLenum internal_format, bool linear, std::array<float, 4> border)
    : width(columns), height(rows) {
  GLuint made = 0;
  glGenTextures(1, &made);
  name = Name<delete_texture>(made);
  glBindTexture(GL_TEXTURE_2D, made);
  const bool depth = internal_format == GL_DEPTH_COMPONENT32F;
  stencil = internal_format == GL_DEPTH24_STENCIL8;
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal_format), columns, rows, 0,
               stencil ? GL_DEPTH_STENCIL
               : depth ? GL_DEPTH_COMPONENT
                       : GL_RGBA,
               stencil ? GL_UNSIGNED_INT_24_8 : GL_FLOAT, nullptr);
  const GLint filter = linear ? GL_LINEAR : GL_NEAREST;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border.data());
}

Target::Target(const Texture* color, const Texture* depth) {
  GLuint made = 0;
  glGenFramebuffers(1, &made);
  name_ = Name<delete_framebuffer>(made);
  glBindFramebuffer(GL_FRAMEBUFFER, made);
  if (color) glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color->name, 0);
  if (depth)
    glFramebufferTexture2D(GL_FRAMEBUFFER, depth->stencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT,
                           GL_TEXTURE_2D, depth->name, 0);
  if (!color) {
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
  }
  width_ = (color ? color : depth)->width;
  height_ = (color ? color : depth)->height;
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw std::logic_error("a framebuffer is incomplete");
}

void Target::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, name_);
  glViewport(0, 0, width_, height_);
}

void Target::copy_to(const Target& other) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, name_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, other.name_);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Target::copy_to_window(int width, int height) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, name_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

Vertices::Vertices(GLenum primitive, const std::vector<GLint>& sizes, const std::vector<float>& values)
    : primitive_(primitive) {
  const GLint size = std::accumulate(sizes.begin(), sizes.end(), 0);
  count_ = static_cast<GLsizei>(values.size()) / size;
  GLuint made = 0;
  glGenVertexArrays(1, &made);
  array_ = Name<delete_vertex_array>(made);
  glBindVertexArray(array_);
  glGenBuffers(1, &made);
  buffer_ = Name<delete_buffer>(made);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(values.size() * sizeof(float)), values.data(),
               GL_STREAM_DRAW);
  std::size_t offset = 0;
  for (GLuint i = 0; i < sizes.size(); ++i) {
    glEnableVertexAttribArray(i);
    glVertexAttribPointer(i, sizes[i], GL_FLOAT, GL_FALSE, size * static_cast<GLsizei>(sizeof(float)),
                          reinterpret_cast<const void*>(offset * sizeof(float)));
    offset += static_cast<std::size_t>(sizes[i]);
  }
}

void Vertices::draw() const {
  glBindVertexArray(array_);
  glDrawArrays(primitive_, 0, count_);
}

Vertices corners_of(const PictureMesh& mesh) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(8 * 3 * mesh.faces.cols()));
  for (Eigen::Index k = 0; k < mesh.faces.cols(); ++k) {
    Vector3 normal = Vector3::Zero();
    if (mesh.normals.cols() == 0) {
      const Vector3 origin = mesh.x.col(mesh.faces(0, k)), first = mesh.x.col(mesh.faces(1, k)) - origin,
                    second = mesh.x.col(mesh.faces(2, k)) - origin;
      normal = first.cross(second).stableNormalized();
    }
    for (int c = 0; c < 3; ++c) {
      const Index vertex = mesh.faces(c, k);
      append(mesh.x.col(vertex), values);
      append(mesh.normals.cols() == 0 ? normal : Vector3(mesh.normals.col(vertex)), values);
      values.push_back(mesh.values.size() == 0 ? 1.0F : static_cast<float>(mesh.values[vertex]));
      values.push_back(mesh.land.size() == 0 ? 0.0F : static_cast<float>(mesh.land[vertex]));
    }
  }
  return {GL_TRIANGLES, {3, 3, 1, 1}, values};
}

Vertices segments_of(const Points& ends) {
  std::vector<float> values;
  append(ends.reshaped(), values);
  return {GL_LINES, {3}, values};
}

Vertices corners_of(const FoamSet& foam) {
  std::vector<float> values;
  values.reserve(13 * foam.corners.size());
  for (const FoamSet::Corner& corner : foam.corners) {
    append(corner.at, values);
    append(corner.normal, values);
    append(corner.offset, values);
    append(corner.place, values);
    append(Vector3(corner.cover, corner.opacity, corner.image), values);
  }
  return {GL_TRIANGLES, {3, 3, 2, 2, 3}, values};
}

}  // namespace shoal::gl
