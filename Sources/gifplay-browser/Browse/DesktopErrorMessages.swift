import Application
import Gallery
import Sharing

extension ErrorMessages {
    /// The gallery has these messages in all languages; messages outside the gallery are English.
    static func describe(_ error: SharingError) -> String { Language.english.sentence(error) }
}
