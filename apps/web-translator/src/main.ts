import { mount } from 'svelte';
import App from './App.svelte';
import './page.css';

mount(App, { target: document.getElementById('app')! });

// From the second visit on the page needs no network. A browser that refuses (a private window, plain http) loses only that.
if (import.meta.env.PROD) navigator.serviceWorker?.register('./service-worker.js').catch(() => {});
