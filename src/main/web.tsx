import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { watchLogin } from '#features/accounts/client.web.ts'
import { survivePageTranslation } from '#platform/ui/translated-page.web.ts'
import './public.css'
import { Root } from './Root.tsx'

survivePageTranslation()
watchLogin()
const place = document.getElementById('root')
if (!place) throw new Error('the page has no #root element for the app')
const app = (
  <StrictMode>
    <BrowserRouter>
      <Root />
    </BrowserRouter>
  </StrictMode>
)
// Hydrates a prerendered page, and keeps anything that was typed before the script loaded.
if (place.hasChildNodes()) hydrateRoot(place, app)
else startTransition(() => createRoot(place).render(app))
