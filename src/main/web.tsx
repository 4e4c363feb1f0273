import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { watchLogin } from '#features/accounts/client.web.ts'
import './public.css'
import { Root } from './Root.tsx'

watchLogin()
const place = document.getElementById('root')
if (!place) throw new Error('the page has no place for the app')
createRoot(place).render(<StrictMode><BrowserRouter><Root /></BrowserRouter></StrictMode>)
