#include "EntiaExplorerWeb.h"

// The files become a part of the program. They are embedded by C, because an array of bytes in
// Swift, as SwiftPM embeds files, takes 25 seconds to compile.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char html[] = {
#embed "../EntiaExplorer/Web/page.html"
    , 0};

static const char style[] = {
#embed "../EntiaExplorer/Web/page.css"
    , 0};

// The parts of the script, in the order in which they use each other.
static const char script[] = {
#embed "../EntiaExplorer/Web/data.js"
    , '\n',
#embed "../EntiaExplorer/Web/values.js"
    , '\n',
#embed "../EntiaExplorer/Web/links.js"
    , '\n',
#embed "../EntiaExplorer/Web/deleting.js"
    , '\n',
#embed "../EntiaExplorer/Web/places.js"
    , '\n',
#embed "../EntiaExplorer/Web/list.js"
    , '\n',
#embed "../EntiaExplorer/Web/detail.js"
    , '\n',
#embed "../EntiaExplorer/Web/diagram.js"
    , '\n',
#embed "../EntiaExplorer/Web/facts.js"
    , '\n',
#embed "../EntiaExplorer/Web/changes.js"
    , '\n',
#embed "../EntiaExplorer/Web/store.js"
    , '\n',
#embed "../EntiaExplorer/Web/start.js"
    , 0};

const char *entia_explorer_html(void) { return html; }
const char *entia_explorer_style(void) { return style; }
const char *entia_explorer_script(void) { return script; }
