import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { watchLogin } from '#features/accounts/client.web.ts'
import './public.css'
import { Root } from './Root.tsx'

watchLogin()
const place = document.getElementById('root')
if (!place) throw new Error('the page has no place for the app')
const app = (
  <StrictMode>
    <BrowserRouter>
      <Root />
    </BrowserRouter>
  </StrictMode>
)
// A built page is taken over as it stands, with what was typed into it before its script came.
if (place.hasChildNodes()) hydrateRoot(place, app)
else startTransition(() => createRoot(place).render(app))
