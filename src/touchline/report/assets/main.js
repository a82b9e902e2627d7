// Start the page with the data that lies in it.
import { open } from "./app.js";

open(JSON.parse(document.getElementById("data").textContent));
