import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The browser half. `vite build` makes the app; `vite build --ssr` makes the script that writes the public pages. */
export default defineConfig({
  plugins: [tailwindcss(), react()],
  build: { outDir: 'build/client', modulePreload: { polyfill: false }, target: 'es2023', assetsInlineLimit: 0 },
})
