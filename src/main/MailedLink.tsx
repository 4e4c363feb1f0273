// The page of an emailed link stands outside of the app, and brings the app's styles along.
import './app.css'

export { default } from '#features/connections/MailedLinkPage.tsx'
