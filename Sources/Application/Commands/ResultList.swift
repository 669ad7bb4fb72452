import Base
import Catalog
import Glibc
import Playback

/// Prints search results, or GIFs of the random feed, so that the user can choose one (`--list`).
struct ResultList {
    /// `table`, `json` or `url`.
    let format: String
    let session: ServiceSession

    /// Prints the first page of results; an empty query lists the random feed.
    /// - Parameter links: lists the GIFs of these links instead.
    func print(_ query: String, links: [TypedAddress] = []) throws(Failure) {
        let page = try BackgroundValue { [session] in
            links.isEmpty ? await Self.firstPage(session, query) : await Self.page(of: links, session)
        }.wait().get()
        let choice = session.settings.renditions
        let rows = page.items.enumerated().map { ListedGIF($0.offset + 1, $0.element, choice) }
        switch format {
        case "url": for row in rows { printLine(row.url) }
        case "json": for row in rows { JSONLine.printLine(row) }
        default: Self.table(rows).forEach(printLine)
        }
        guard !rows.isEmpty else { throw ErrorMessages.nothingFound(query) }
        let failures = page.sourceFailures.filter { ![.nothingFound, .notOffered].contains($0.kind) }
        if !failures.isEmpty, page.items.allSatisfy({ $0.provider == SampleRepository.name }) {
            printError(ErrorMessages.onlyBuiltIn(page.items, failures))
        }
        if page.next != nil, isatty(STDERR_FILENO) == 1 {
            printError("there are more results; 'gifplay browse --plain' prints up to three pages")
        }
    }

    private static func firstPage(
        _ session: ServiceSession, _ query: String
    ) async -> Result<ResultPage, Failure> {
        do throws(Failure) {
            let repository = try session.repository()
            let preferences = session.settings.preferences
            do throws(Failure) {
                guard !query.isEmpty else { return .success(try await repository.random(preferences)) }
                return .success(try await repository.search(SearchQuery(query, preferences: preferences), page: nil))
            } catch {
                return .failure(ErrorMessages.describe(error, query: query, source: repository.name))
            }
        } catch {
            return .failure(error)
        }
    }

    private static func page(of links: [TypedAddress], _ session: ServiceSession) async -> Result<ResultPage, Failure> {
        let loader = GIFLoader(session)
        let progress = loader.reportProgress()
        defer { withExtendedLifetime(progress) {} }
        var page = ResultPage(items: [])
        for link in links {
            do throws(Failure) { page.items.append(try await loader.reference(of: link)) } catch {
                return .failure(error)
            }
        }
        return .success(page)
    }

    static func table(_ rows: [ListedGIF]) -> [String] {
        let columns = rows.map {
            ["\($0.number)", TerminalText.fitted($0.title, to: 44), $0.size, $0.source, $0.credit]
        }
        return TextTable.lines(columns, isNumbered: true)
    }
}

enum TextTable {
    /// Aligns all cells except those of the last column, which are left out if they are empty.
    /// - Parameter isNumbered: whether the first column contains numbers, which are aligned on the right.
    static func lines(_ rows: [[String]], isNumbered: Bool = false) -> [String] {
        let columns = (rows.first?.count ?? 1) - 1
        let widths = (0..<columns).map { column in rows.map { TerminalText.width($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { index, cell in
                let gap = String(repeating: " ", count: cell.1 - TerminalText.width(cell.0))
                return index == 0 && isNumbered ? gap + cell.0 : cell.0 + gap
            }
            return (cells + row.dropFirst(columns).filter { !$0.isEmpty }).joined(separator: "  ")
        }
    }
}

struct ListedGIF: Encodable {
    var number: Int
    var title: String
    var source: String
    var id: String
    var url: String
    var page: String?
    var author: String?
    var licence: String?
    var attribution: String
    var width: Int?
    var height: Int?
    var bytes: Int?

    init(_ number: Int, _ reference: GIFReference, _ choice: RenditionChoice) {
        let rendition = choice.ordered(reference.renditions).first ?? reference.renditions.first
        self.number = number
        title = SafeText.line(reference.title)
        source = reference.provider
        id = SafeText.line(reference.id)
        url = rendition?.url ?? ""
        page = reference.pageURL
        author = reference.author.map(SafeText.line)
        licence = reference.licence.map(SafeText.line)
        attribution = SafeText.line(reference.attribution)
        width = rendition?.width
        height = rendition?.height
        bytes = rendition?.bytes
    }

    var size: String {
        let pixels = width.flatMap { width in height.map { "\(width)x\($0)" } } ?? ""
        return [pixels, bytes.map { ByteSize.file($0) } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    var credit: String { [author, licence].compactMap(\.self).joined(separator: ", ") }
}
