// Start the page with its embedded data.
import { open } from "./app.js";

open(JSON.parse(document.getElementById("data").textContent));
