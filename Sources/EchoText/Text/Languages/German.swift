extension LanguageRules { static let german = english }
