// Owners of OpenGL objects: programs, textures, framebuffers, meshes. A context must be current to create or use one.
#pragma once

#include "reference/renderer/picture.hpp"

#include <epoxy/gl.h>

#include <string>
#include <utility>
#include <vector>

namespace shoal::gl {

/// An OpenGL name, deleted with its owner.
template <void (*remove)(GLuint)>
class Name {
 public:
  Name() = default;
  explicit Name(GLuint name) : name_(name) {}
  ~Name() {
    if (name_ != 0) remove(name_);
  }
  Name(Name&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Name& operator=(Name&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  operator GLuint() const { return name_; }

 private:
  GLuint name_ = 0;
};

inline void delete_program(GLuint name) {
  glDeleteProgram(name);
}
inline void delete_texture(GLuint name) {
  glDeleteTextures(1, &name);
}
inline void delete_framebuffer(GLuint name) {
  glDeleteFramebuffers(1, &name);
}
inline void delete_buffer(GLuint name) {
  glDeleteBuffers(1, &name);
}
inline void delete_vertex_array(GLuint name) {
  glDeleteVertexArrays(1, &name);
}

class Program {
 public:
  Program() = default;
  /// Throws std::logic_error with the compiler's message, because the sources are part of the program.
  Program(const std::string& vertex_text, const std::string& fragment_text);
  void use() {
    glUseProgram(name_);
    next_unit_ = 0;
  }
  // Set uniforms of the program in use; names that it does not use are ignored.
  void set(const char* name, int value) const { glUniform1i(place(name), value); }
  void set(const char* name, double value) const { glUniform1f(place(name), static_cast<float>(value)); }
  void set(const char* name, const Vector3& value) const;
  void set(const char* name, const Color& value) const { set(name, Vector3(value[0], value[1], value[2])); }
  void set(const char* name, const Eigen::Matrix4d& value) const;
  void set_pair(const char* name, double first, double second) const;
  void set_texture(const char* name, GLuint texture);

 private:
  GLint place(const char* name) const { return glGetUniformLocation(name_, name); }
  Name<delete_program> name_;
  int next_unit_ = 0;
};

/// A texture of this size and format, sampled bilinearly or by the nearest texel; `border` (RGBA) applies outside.
struct Texture {
  Texture() = default;
  Texture(int columns, int rows, GLenum internal_format, bool linear,
          std::array<float, 4> border = {0, 0, 0, 0});
  Name<delete_texture> name;
  int width = 0, height = 0;
  bool stencil = false;  ///< includes a stencil beside the depth
};

/// A framebuffer of at most one colour texture and one depth texture.
class Target {
 public:
  Target() = default;
  Target(const Texture* color, const Texture* depth);
  void bind() const;                        ///< also sets the viewport
  void copy_to(const Target& other) const;  ///< copies the colours
  void copy_to_window(int width, int height) const;

 private:
  Name<delete_framebuffer> name_;
  int width_ = 0, height_ = 0;
};

/// Vertices to draw. `values` holds, vertex by vertex, the attributes 0, 1, …, of `sizes` numbers each.
class Vertices {
 public:
  Vertices(GLenum primitive, const std::vector<GLint>& sizes, const std::vector<float>& values);
  void draw() const;

 private:
  Name<delete_vertex_array> array_;
  Name<delete_buffer> buffer_;
  GLenum primitive_;
  GLsizei count_;
};

/// The corners of all faces in sequence: position, normal (of the face if the mesh has none), value, land. The index of a corner in its
/// face is gl_VertexID % 3.
Vertices corners_of(const PictureMesh& mesh);
/// Straight lines between consecutive pairs of columns of `ends` [3, 2n].
Vertices segments_of(const Points& ends);
/// The triangles of foam: position, normal, offset in the picture, place in the image, and cover, opacity and image.
Vertices corners_of(const FoamSet& foam);

}  // namespace shoal::gl
