import Catalog
import Testing

/// Tests `EnvironmentProxy`, which determines the proxy for a URL from the environment variables.
@Suite struct EnvironmentProxyTests {
    private func proxy(_ url: String, _ environment: [String: String]) -> String? {
        EnvironmentProxy(url: url, environment: environment).map { "\($0.variable) \($0.address)" }
    }

    @Test("http_proxy and https_proxy apply to one scheme each; all_proxy applies to both schemes")
    func variables() {
        let environment = ["http_proxy": "http://a:1", "HTTPS_PROXY": "b:2", "ALL_PROXY": "socks5://c:3/"]
        #expect(proxy("http://x.org/a", environment) == "http_proxy a:1")
        #expect(proxy("https://x.org/a", environment) == "HTTPS_PROXY b:2")
        #expect(proxy("https://x.org", ["ALL_PROXY": "socks5://c:3/"]) == "ALL_PROXY c:3")
        #expect(proxy("http://x.org", ["HTTP_PROXY": "a", "https_proxy": "", "all_proxy": ""]) == nil)
    }

    @Test("The user name and the password of a proxy are not part of its address")
    func credentials() {
        #expect(proxy("http://x.org", ["http_proxy": "http://me:p@ss@a:1/?q"]) == "http_proxy a:1")
    }

    @Test(
        "Hosts in no_proxy and their subdomains are reached without the proxy",
        arguments: [
            ("x.org", true), (".x.org", true), ("y.org, X.ORG", true), ("*", true), ("org", true), ("a.x.org", false),
            ("ax.org", false), ("", false),
        ])
    func exceptions(list: String, isExcepted: Bool) {
        let environment = ["https_proxy": "p:1", "no_proxy": list]
        #expect((proxy("https://user@x.org:443/a", environment) == nil) == isExcepted)
    }

    @Test("An IPv6 address in no_proxy is written without the brackets that a URL requires")
    func addresses() {
        #expect(proxy("http://[::1]:80/", ["http_proxy": "p", "NO_PROXY": "::1"]) == nil)
    }
}
