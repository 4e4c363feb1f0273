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

// Forms and buttons wait for their script: platform/ui/early-actions.web.ts. On a page without a script, the
// browser sends the form.
const isEarly = () => !window.isLive && document.querySelector('script[type="module"]')
addEventListener(
  'submit',
  (event) => {
    if (!isEarly()) return
    event.preventDefault()
    event.stopPropagation()
    window.earlySubmit = event
  },
  true,
)
addEventListener(
  'click',
  (event) => {
    if (isEarly()) window.earlyPress = event.target.closest('button[type="button"]')
  },
  true,
)
