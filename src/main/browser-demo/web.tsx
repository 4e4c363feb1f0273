import { survivePageTranslation } from '#platform/ui/translated-page.web.ts'
import '../public.css'
import './demo.css'

survivePageTranslation()
// The same script runs the demo's page and its two frames. In a frame, seal.web.ts runs before this.
const side = window.demoSide
if (side) void import('./Side.tsx').then(({ startSide }) => startSide(side))
else void import('./DemoPage.tsx').then(({ startPage }) => startPage())
