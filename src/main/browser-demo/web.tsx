import '../public.css'
import './demo.css'

// One file for the demo's page and for the two frames in it, which seal.web.ts has prepared.
const side = window.demoSide
if (side) void import('./Side.tsx').then(({ startSide }) => startSide(side))
else void import('./DemoPage.tsx').then(({ startPage }) => startPage())
