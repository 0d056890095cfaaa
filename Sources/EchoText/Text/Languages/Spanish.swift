extension LanguageRules { static let spanish = english }
