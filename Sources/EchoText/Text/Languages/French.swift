extension LanguageRules { static let french = english }
