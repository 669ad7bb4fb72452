/// The pixel graphics that a terminal should report.
public enum GraphicsDetection: Sendable {
    case none
    /// The protocols, for a later choice by the user. The queries follow the first update.
    case protocols
    /// Also whether images can be in shared memory, which needs a test image that a killed process leaves behind.
    case all
}
