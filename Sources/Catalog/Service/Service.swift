/// A service of the web as data: how it is asked, and what its answers mean.
///
/// Pure: nothing here touches the network, the clock or a key. `ServiceRepository` asks any of
/// them, so that a new service is one file with a type of this protocol, and a fixture.
protocol Service: Sendable {
    var profile: ServiceProfile { get }

    /// The request for a listing; nil if the service has no such listing.
    func call(_ question: Question) -> Call?

    /// The references in an answer of success.
    func decode(_ answer: Answer, to question: Question) throws(CatalogError) -> Listed

    /// The question for hits of any of the words; nil if the service cannot be asked so.
    func widened(_ question: Question) -> Question?

    /// Another way to ask, once the first brought an error or nothing; nil if there is none.
    func secondChance(_ question: Question, after error: CatalogError?) -> Question?

    /// The error in the service's own terms: KLIPY says 404 and means the key.
    func refined(_ error: CatalogError) -> CatalogError
}

extension Service {
    func widened(_ question: Question) -> Question? { nil }
    func secondChance(_ question: Question, after error: CatalogError?) -> Question? { nil }
    func refined(_ error: CatalogError) -> CatalogError { error }
}
