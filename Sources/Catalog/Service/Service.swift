/// The declaration of a web service: how to query it, and how to decode its responses.
///
/// Conforming types do not use the network or a key, because `ServiceRepository` handles these for all services. A new service needs only three things: a file with a conforming type, an entry in
/// `GIFSources.services`, and a fixture.
protocol Service: Sendable {
    var profile: ServiceProfile { get }

    /// Returns the target of the HTTP request for a listing; nil if the service has no such listing.
    func target(for request: ListingRequest) -> RequestTarget?

    /// Decodes the references in a successful response.
    func decode(_ response: ServiceResponse, to request: ListingRequest) throws(CatalogError) -> DecodedListing

    /// Returns the request for hits that match any of the search terms; nil if the service does not support this.
    func widened(_ request: ListingRequest) -> ListingRequest?

    /// Returns another request to try after an error or an empty result; nil if there is none.
    func fallbackRequest(for request: ListingRequest, after error: CatalogError?) -> ListingRequest?

    /// Converts an error that has a special meaning at this service. For example, KLIPY reports a bad key with status
    /// 404.
    func interpreted(_ error: CatalogError) -> CatalogError
}

extension Service {
    func widened(_ request: ListingRequest) -> ListingRequest? { nil }
    func fallbackRequest(for request: ListingRequest, after error: CatalogError?) -> ListingRequest? { nil }
    func interpreted(_ error: CatalogError) -> CatalogError { error }
}
