(function () {
  "use strict";
  var figures = JSON.parse(document.getElementById("figures").textContent);
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var plots = Array.prototype.slice.call(document.querySelectorAll(".plot"));

  // Names are escaped for plotly; shortening one must not cut an escaped letter in half.
  function cut(name, most) {
    var text = name.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
    var letters = Array.from(text);
    text = letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  // Colours follow the page; print always uses the light ones.
  function themed(name, printing, narrow) {
    var figure = JSON.parse(JSON.stringify(figures[name]));
    var style = getComputedStyle(document.documentElement);
    var text = printing ? "#1d232b" : style.getPropertyValue("--text").trim();
    var night = dark.matches && !printing;
    figure.layout.font.color = text;
    Object.keys(figure.layout).forEach(function (key) {
      if (/^[xy]axis/.test(key)) {
        var axis = figure.layout[key];
        ["linecolor", "tickcolor", "zerolinecolor"].forEach(function (part) { axis[part] = text; });
        if (narrow && axis.ticktext) { axis.ticktext = axis.ticktext.map(function (tick) { return cut(tick, 16); }); }
      }
    });
    figure.data.forEach(function (trace) {
      if (trace.type === "heatmap") {
        if (night) { trace.colorscale = [[0, "#1c2229"], [1, "#6cc0ff"]]; }
        trace.colorbar.tickcolor = text;
        trace.colorbar.outlinecolor = text;
        if (narrow) { trace.colorbar.title.text = ""; }
      }
    });
    figure.layout.hoverlabel = { bgcolor: night ? "#2b333c" : "#ffffff", font: { color: text } };
    return figure;
  }

  function draw(printing) {
    return Promise.all(plots.map(function (plot) {
      var figure = themed(plot.dataset.figure, printing === true, plot.clientWidth < 480);
      return Plotly.react(plot, figure.data, figure.layout, { responsive: true, displayModeBar: false });
    }));
  }

  draw(false).then(function () { document.documentElement.dataset.drawn = String(plots.length); });
  dark.addEventListener("change", function () { draw(false); });
  window.addEventListener("beforeprint", function () { draw(true); });
  window.addEventListener("afterprint", function () { draw(false); });
})();
