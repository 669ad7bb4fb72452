/// The declaration of a web service: how to query it, and how to decode its responses.
///
/// Conforming types are pure: they do not use the network, the clock or a key. `ServiceRepository` sends the requests
/// of any service, so a new service needs only one file with a conforming type, its entry in `GIFSources.services`
/// and a fixture.
protocol Service: Sendable {
    var profile: ServiceProfile { get }

    /// Returns the request for a listing; nil if the service has no such listing.
    func call(_ question: Question) -> Call?

    /// Decodes the references in a successful response.
    func decode(_ answer: Answer, to question: Question) throws(CatalogError) -> Listed

    /// Returns the question for hits that match any of the search terms; nil if the service does not support this.
    func widened(_ question: Question) -> Question?

    /// Returns another question to try after an error or an empty result; nil if there is none.
    func secondChance(_ question: Question, after error: CatalogError?) -> Question?

    /// Converts an error that has a special meaning at this service: KLIPY reports a bad key as 404.
    func refined(_ error: CatalogError) -> CatalogError
}

extension Service {
    func widened(_ question: Question) -> Question? { nil }
    func secondChance(_ question: Question, after error: CatalogError?) -> Question? { nil }
    func refined(_ error: CatalogError) -> CatalogError { error }
}
