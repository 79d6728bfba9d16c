import EntiaCLI

EntiaCommand.main()
