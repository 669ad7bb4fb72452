import Glibc
import Testing

@testable import Library

/// Tests connections that tasks share.
@Suite(.timeLimit(.minutes(15))) struct ConnectionActorTests {
    private let database: TemporaryDatabase

    init() throws { database = try TemporaryDatabase() }

    private func connect() throws -> ConnectionActor {
        try #require(ConnectionActor(try Connection(path: database.path, lockSeconds: 60)))
    }

    private func insert(_ connection: Connection) throws {
        try connection.transaction { try connection.execute("INSERT INTO item (name) VALUES (NULL)") }
    }

    private func count(_ connection: Connection) throws -> Int? { try connection.value("SELECT count(*) FROM item") }

    @Test("All calls of a connection run on one thread, and each connection has a thread of its own")
    func threads() async throws {
        let (first, second) = (try connect(), try connect())
        let thread = try await first.perform { _ in pthread_self() }
        for _ in 0..<20 { #expect(try await first.perform { _ in pthread_self() } == thread) }
        #expect(try await second.perform { _ in pthread_self() } != thread)
    }

    @Test("While many calls wait for a lock, other connections read, and all calls succeed after the lock ends")
    func waitingCalls() async throws {
        let locker = try database.connectWithTable()
        let (writer, reader) = (try connect(), try connect())
        try locker.execute("BEGIN IMMEDIATE")
        let calls = (0..<100).map { _ in Task { try await writer.perform(insert) } }
        #expect(try await reader.perform(count) == 0)
        try locker.execute("ROLLBACK")
        for call in calls { try await call.value }
        #expect(try await reader.perform(count) == 100)
    }

    @Test("A call of a cancelled task does not run")
    func cancellation() async throws {
        _ = try database.connectWithTable()
        let writer = try connect()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await writer.perform(insert)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await writer.perform(count) == 0)
    }

    @Test("A released actor closes its connection")
    func closing() async throws {
        _ = try database.connectWithTable()
        for _ in 0..<50 {
            do {
                let writer = try connect()
                try await writer.perform(insert)
                #expect(database.directory.names().contains("database-wal"))
            }
            #expect(database.directory.names() == ["database"])
        }
    }
}
