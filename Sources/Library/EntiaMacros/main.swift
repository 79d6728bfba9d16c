internal import EntiaMacroExpansion

CompilerPlugin.run()
