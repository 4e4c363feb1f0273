// The emailed-link page is rendered outside the app, so it imports the app's styles itself.
import './app.css'

export { default } from '#features/connections/MailedLinkPage.tsx'
