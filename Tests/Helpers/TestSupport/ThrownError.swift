/// Returns the error that `body` throws; nil if it throws none, or one of another type.
///
/// `#expect(throws:)` does not return the error in Swift 6.0.
public func thrown<E: Error>(_ type: E.Type, by body: () throws -> some Any) -> E? {
    do { _ = try body() } catch { return error as? E }
    return nil
}

/// Returns the error that `body` throws; nil if it throws none, or one of another type.
public func thrown<E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ type: E.Type, by body: () async throws -> some Sendable
) async -> E? {
    do { _ = try await body() } catch { return error as? E }
    return nil
}
