// Runs before anything else loads and before the first paint.

// A reset link's tokens leave the address bar and the history at once; the page reads them from here.
if (location.pathname === '/reset-password' && location.search) {
  window.resetQuery = location.search
  history.replaceState(null, '', location.pathname)
}

// A chosen theme never flashes in the other one.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden; the system's theme holds then.
}

// A form that is sent before its script came would load the page anew, with what was typed in its address. It waits for the
// script, which sends it (src/platform/ui/early-submit.web.ts).
document.addEventListener(
  'submit',
  (event) => {
    if (window.hasLiveForms) return
    event.preventDefault()
    event.stopPropagation()
    window.earlySubmit = event
  },
  true,
)
