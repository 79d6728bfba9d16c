#pragma once

// The texts of the files in the folder `Web` of EntiaExplorer.
const char *entia_explorer_html(void);
const char *entia_explorer_style(void);
const char *entia_explorer_script(void);
