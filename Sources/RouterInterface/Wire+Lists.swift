package import Varlink

extension Wire {
  /// Lists open scenes (supports `more`).
  ///
  /// All filters given have to match. With `more` the list comes in several replies; without it, a list too
  /// long for one reply is ``LimitExceeded``.
  package struct ListScenes: Sendable, Equatable {
    /// Only scenes of this application.
    package var applicationID: String?
    /// Only this scene.
    package var sceneID: String?

    /// Makes a call.
    package init(applicationID: String? = nil, sceneID: String? = nil) {
      self.applicationID = applicationID
      self.sceneID = sceneID
    }
  }
}

extension Wire.ListScenes: Wire.Method {
  /// `io.scened.Router.ListScenes`.
  package static var method: StaticString { "io.scened.Router.ListScenes" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.optional("applicationId")
    sceneID = try object.optional("sceneId")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", ifPresent: applicationID)
    object.member("sceneId", ifPresent: sceneID)
  }
}

extension Wire.ListScenes {
  /// The answer to ``ListScenes``, or a part of it.
  package struct Reply: Sendable, Equatable {
    /// The scenes.
    package var scenes: [Wire.Scene]
    /// The state of the registry they are from.
    package var generation: Int64

    /// Makes a reply.
    package init(scenes: [Wire.Scene], generation: Int64) {
      self.scenes = scenes
      self.generation = generation
    }
  }
}

extension Wire.ListScenes.Reply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    scenes = try object.required("scenes")
    generation = try object.required("generation")
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("scenes", scenes)
    object.member("generation", generation)
  }
}

extension Wire {
  /// Lists declared applications, from files and from connections, as ``ListScenes`` does scenes.
  package struct ListApplications: Sendable, Equatable {
    /// Only this application.
    package var applicationID: String?

    /// Makes a call.
    package init(applicationID: String? = nil) {
      self.applicationID = applicationID
    }
  }
}

extension Wire.ListApplications: Wire.Method {
  /// `io.scened.Router.ListApplications`.
  package static var method: StaticString { "io.scened.Router.ListApplications" }

  /// Reads the parameters of a call.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applicationID = try object.optional("applicationId")
  }

  /// Writes the parameters of a call.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applicationId", ifPresent: applicationID)
  }
}

extension Wire.ListApplications {
  /// The answer to ``ListApplications``, or a part of it.
  package struct Reply: Sendable, Equatable {
    /// The applications.
    package var applications: [Wire.Application]
    /// The state of the registry they are from.
    package var generation: Int64

    /// Makes a reply.
    package init(applications: [Wire.Application], generation: Int64) {
      self.applications = applications
      self.generation = generation
    }
  }
}

extension Wire.ListApplications.Reply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    applications = try object.required("applications")
    generation = try object.required("generation")
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("applications", applications)
    object.member("generation", generation)
  }
}
