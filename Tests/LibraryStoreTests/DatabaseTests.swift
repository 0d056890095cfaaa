import GRDB
import Testing
